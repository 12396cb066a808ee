"""What the processes of Astrolabe share: the framing of their messages, lean start-up, and stage times."""
