"""The rooms. Data flows one way: surfaces → turns → access → memories → holders → ledger → policy."""
