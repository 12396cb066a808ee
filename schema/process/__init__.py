"""Code that the processes of Astrolabe share: workers and their messages, lean start-up, and stage times."""
