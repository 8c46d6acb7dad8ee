-- Whoever is told which orders are due notes that it was told of them (gate.erasures_due), and changes nothing else.
GRANT UPDATE (touched_at) ON erasure_order TO muniment_gate_owner;
