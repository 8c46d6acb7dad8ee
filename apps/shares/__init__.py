"""Shares: links over chosen ordinary memories, which are opened by a press, counted, and end by themselves."""
