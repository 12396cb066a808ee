"""Documents that are out of date: removed names, flags, settings, scripts and paths, and imports that lead nowhere."""
