"""Which settings stand on which page, in which order, with their units and steps."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """``unit`` is a key of the pages' words; ``first`` is where a number begins that the program decided
    until now, unless what it decided is known."""

    name: str
    unit: str = ""
    decimals: int = 0
    step: float = 1
    first: float = 0


PAGES: dict[str, dict[str, tuple[Line, ...]]] = {
    "answers": {
        "evidence": (Line("mode"), Line("top_k"), Line("rerank"), Line("parts")),
        "writing": (
            Line("temperature", decimals=2, step=0.05),
            Line("max_tokens", "tokens", step=100),
            Line("context_budget", "tokens", step=100, first=1400),
        ),
        "overall": (
            Line("survey"),
            Line("survey_documents", step=100),
            Line("survey_seconds", "seconds", step=60),
        ),
        "history": (Line("save_runs"),),
        "order": (
            Line("fusion"),
            Line("dense_weight", decimals=2, step=0.05, first=0.7),
            Line("min_score", decimals=2, step=0.1),
        ),
        "server": (Line("server"), Line("server_protocol"), Line("server_model"), Line("model_path")),
    },
    "reading": {
        "passages": (
            Line("profile"),
            Line("chunk_size", "tokens", step=16),
            Line("chunk_overlap", "tokens", step=10),
        ),
        "pictures": (Line("ocr"),),
        "limits": (Line("file_timeout_s", "seconds", step=10), Line("file_memory_mb", "megabytes", step=256)),
    },
    "performance": {
        "processor": (
            Line("threads"),
            Line("readers"),
            Line("indexing_share", "percent", step=10),
            Line("pause_on_battery"),
        ),
        "memory": (
            Line("context_length", "tokens", step=1024, first=4096),
            Line("unload_after_minutes", "minutes", step=5),
        ),
    },
}
"""By page and card. The models page has the chat model and the embedder; what only the command line does is
not here."""
