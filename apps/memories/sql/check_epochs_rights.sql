-- Whoever keeps a print that is made with the key before has it asked whether that is still there, as gate.put asks.
GRANT EXECUTE ON FUNCTION gate.check_epochs(uuid, int[]) TO muniment_app;
