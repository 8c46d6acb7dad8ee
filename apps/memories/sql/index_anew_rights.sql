-- What gate.index_anew writes: that a document is to be made anew.
GRANT UPDATE (version) ON sealed.search_doc TO muniment_gate_owner;
