"""The Django project: settings, urls and the processes' entry points."""
