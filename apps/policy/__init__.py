"""The rules and their words: pure, no I/O, no clock, no framework."""
