"""The ground under Muniment: set-up, embedded servers, bootstrap and the one supervisor.

Nothing here imports Django or an app. ``setup.py`` runs under the system's Python with the
standard library alone; everything else runs from the virtual environment (``python -m ops``).
"""
