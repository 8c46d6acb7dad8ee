"""The bytes: pure, standard library only, so that a stranger can check a receipt without Muniment."""
