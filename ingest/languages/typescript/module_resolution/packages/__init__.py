"""Packages of npm: manifests, the exports that they declare, and the files of packages in workspaces and in `node_modules`."""
