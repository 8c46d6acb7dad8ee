"""The post: letters that are written within an act, and sent once it stands; and when each person's digest is due."""
