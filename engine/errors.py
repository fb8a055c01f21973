"""Typed errors of the engine. Each has a code; words for it stand in ``resources/messages``."""

from models.errors import CodedError, ModelMissing

__all__ = [
    "CodedError",
    "ConfigInvalid",
    "EmbedderUnusable",
    "EngineStopped",
    "GenerationFailed",
    "IndexDamaged",
    "IndexMismatch",
    "LibraryBusy",
    "LibraryDamaged",
    "LibraryNameTaken",
    "LibraryUnknown",
    "ModelMissing",
    "NotReadable",
    "OutsideConnection",
    "ProcessorUnsupported",
    "QuestionEmpty",
    "QuestionTooLong",
    "StorageFailed",
    "WrongUse",
]


class WrongUse(CodedError):
    """``detail``: the command line or a command to the engine does not make sense."""

    code = "wrong_use"
    exit_code = 2


class ConfigInvalid(CodedError):
    """``path``, ``key``, ``problem``: a settings file holds an unknown key or a bad value."""

    code = "config_invalid"
    exit_code = 2


class QuestionEmpty(CodedError):
    """The question holds no character that can be searched for."""

    code = "question_empty"
    exit_code = 2


class QuestionTooLong(CodedError):
    """``length``, ``limit`` (characters)."""

    code = "question_too_long"
    exit_code = 2


class NotReadable(CodedError):
    """``path``: a folder or file given by the user is not there or may not be read."""

    code = "not_readable"
    exit_code = 2


class LibraryUnknown(CodedError):
    """``name``: no knowledge base has this name."""

    code = "library_unknown"
    exit_code = 2


class LibraryNameTaken(CodedError):
    """``name``: another knowledge base has this name already."""

    code = "library_name_taken"
    exit_code = 2


class LibraryBusy(CodedError):
    """``name``: another process is writing to this knowledge base."""

    code = "library_busy"
    exit_code = 4
    retryable = True


class LibraryDamaged(CodedError):
    """``path``, ``detail``: the SQLite file cannot be read or is newer than this program."""

    code = "library_damaged"
    exit_code = 4


class IndexMismatch(CodedError):
    """``path``, ``found``, ``expected``: an index of another model, dimension or count."""

    code = "index_mismatch"
    exit_code = 4


class IndexDamaged(CodedError):
    """``path``, ``detail``: an index file is torn, or holds zero or non-finite vectors."""

    code = "index_damaged"
    exit_code = 4


class StorageFailed(CodedError):
    """``path``, ``detail``: writing to disk failed (full, locked, read-only); the old state stands."""

    code = "storage_failed"
    retryable = True


class EmbedderUnusable(CodedError):
    """``path``, ``detail``: the embedder's files do not give the vectors they must give."""

    code = "embedder_unusable"
    exit_code = 3


class GenerationFailed(CodedError):
    """``model``, ``detail``: the chat model could not be loaded or died."""

    code = "generation_failed"
    exit_code = 3


class ProcessorUnsupported(CodedError):
    """``model``, ``processor``: llama.cpp needs instructions that this processor does not have."""

    code = "processor_unsupported"
    exit_code = 3


class OutsideConnection(CodedError):
    """``target``: something tried to leave this machine; the seal refused."""

    code = "outside_connection"


class EngineStopped(CodedError):
    """The engine thread has ended; no command can be taken."""

    code = "engine_stopped"
