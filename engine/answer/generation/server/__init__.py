"""A chat model that a server on this very machine runs (Ollama, llama.cpp, LM Studio …), over HTTP.

The address must be one of loopback as it is written: nothing is looked up, redirects and proxies are not
followed, and the seal refuses everything else underneath.
"""

from engine.answer.generation.server.connecting import connect, models

__all__ = ["connect", "models"]
