"""The `astrolabe` command."""
