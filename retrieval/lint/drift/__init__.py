"""Documents that fell behind the code: names, flags, settings, scripts and paths of the past, imports that lead nowhere."""
