"""The faces of the engine: what people and programs talk to. So far the command line, one file a command."""
