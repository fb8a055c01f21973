"""From a question to a checked answer: retrieval, gate, prompt, generation, grounding, citations."""
