"""People, spaces and vaults; and the directory, which leads from a credential to its vault."""
