"""A witness: it follows logs of others, and cosigns only what continues what it has seen (C2SP tlog-witness v1.0.0).

Standard library, and the formats beside it; so it runs here as `manage.py witness` and in the client's package as
`muniment witness`. The decisions are in `format/witness.py`, pure; here is what they need of the world: a key, a memory
that outlives any crash, and a server.
"""
