"""The chat: ask → offered → decided → answered → left out. It reads like any other client, through access."""
