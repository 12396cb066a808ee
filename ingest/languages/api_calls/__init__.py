"""How code takes the operations of APIs: routes, mounts and services in the facts of a file, by tables of frameworks."""
