"""Typed errors of the engine. Each has a code; words for it stand in ``resources/messages``."""

from models.errors import CodedError, ModelMissing

__all__ = [
    "AliasInvalid",
    "BackupInvalid",
    "BackupTooNew",
    "CodedError",
    "ConfigInvalid",
    "DraftTooLarge",
    "EmbedderMissing",
    "EmbedderUnusable",
    "EngineStopped",
    "FilterInvalid",
    "FolderTooBroad",
    "GenerationFailed",
    "HomeFixed",
    "HomeTargetInvalid",
    "IndexDamaged",
    "IndexMismatch",
    "LibraryBusy",
    "LibraryDamaged",
    "LibraryNameTaken",
    "LibraryNewer",
    "LibraryUnknown",
    "ModelMissing",
    "NoSpace",
    "NotReadable",
    "OutsideConnection",
    "PackInvalid",
    "PackNeedsVectors",
    "PatternInvalid",
    "ProcessorUnsupported",
    "ProofRefused",
    "QuestionEmpty",
    "QuestionTooLong",
    "ServerBusy",
    "ServerFailed",
    "ServerNotLocal",
    "ServerUnreachable",
    "SettingInvalid",
    "SettingUnknown",
    "StorageFailed",
    "TargetTaken",
    "TeamPartMissing",
    "TeamStoreUnreachable",
    "WindowNotAnswering",
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


class SettingUnknown(CodedError):
    """``name``: there is no setting of this name."""

    code = "setting_unknown"
    exit_code = 2


class SettingInvalid(CodedError):
    """``name``, ``value``, ``problem``: a setting cannot have this value; the old one stands."""

    code = "setting_invalid"
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


class DraftTooLarge(CodedError):
    """``path``, ``limit_mb``: a draft that is to be checked is larger than that."""

    code = "draft_too_large"
    exit_code = 2


class FolderTooBroad(CodedError):
    """``path``: a whole disk, or the devices of the system, is not a folder of documents."""

    code = "folder_too_broad"
    exit_code = 2


class PatternInvalid(CodedError):
    """``pattern``, ``detail``: patterns that choose files cannot be understood."""

    code = "pattern_invalid"
    exit_code = 2


class FilterInvalid(CodedError):
    """``option``, ``value``: a filter of a question cannot be understood."""

    code = "filter_invalid"
    exit_code = 2


class AliasInvalid(CodedError):
    """``text``: not a line of words that mean the same."""

    code = "alias_invalid"
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
    """``path``, ``detail``: the SQLite file cannot be read."""

    code = "library_damaged"
    exit_code = 4


class LibraryNewer(LibraryDamaged):
    """``path``, ``detail``: a newer version of the program wrote this knowledge base; it is whole."""

    code = "library_newer"


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


class NoSpace(CodedError):
    """``path``, ``needed_mb``, ``free_mb``: the disk has too little space; nothing has been written."""

    code = "no_space"
    retryable = True


class PackInvalid(CodedError):
    """``path``, ``detail``: not a pack, a damaged one, or one that somebody tampered with."""

    code = "pack_invalid"


class PackNeedsVectors(CodedError):
    """``name``, ``count``: so many passages of a knowledge base have no vectors and could not be packed."""

    code = "pack_needs_vectors"


class TargetTaken(CodedError):
    """``path``: another file than a pack stands where a pack is to be written."""

    code = "target_taken"
    exit_code = 2


class BackupInvalid(CodedError):
    """``path``, ``detail``: no backup, an unfinished one, or a damaged one."""

    code = "backup_invalid"


class BackupTooNew(CodedError):
    """``path``, ``program``: a newer version of the program wrote this backup."""

    code = "backup_too_new"


class EmbedderMissing(CodedError):
    """``model``: the embedder that the settings name is not on this machine."""

    code = "embedder_missing"
    exit_code = 3


class TeamStoreUnreachable(CodedError):
    """``host``, ``detail``: the server that a knowledge base is shared on does not answer or refuses."""

    code = "team_store_unreachable"
    retryable = True


class TeamPartMissing(TeamStoreUnreachable):
    """``host``, ``detail``: the optional part that speaks to a team's server is not installed."""

    code = "team_part_missing"
    retryable = False


class EmbedderUnusable(CodedError):
    """``path``, ``detail``: the embedder's files do not give the vectors they must give."""

    code = "embedder_unusable"
    exit_code = 3


class GenerationFailed(CodedError):
    """``model``, ``detail``: the chat model could not be loaded or died."""

    code = "generation_failed"
    exit_code = 3


class ServerNotLocal(CodedError):
    """``address``: the chat server of the settings is not an address of this machine; nothing was sent."""

    code = "server_not_local"
    exit_code = 2


class ServerUnreachable(GenerationFailed):
    """``address``, ``model``, ``detail``: the chat server of this machine does not answer, or stopped."""

    code = "server_unreachable"
    retryable = True


class ServerBusy(GenerationFailed):
    """``address``, ``model``, ``detail``: the chat server was busy three times."""

    code = "server_busy"
    retryable = True


class ServerFailed(GenerationFailed):
    """``address``, ``model``, ``detail``: the chat server reported an error, or sent something else."""

    code = "server_failed"


class ProcessorUnsupported(CodedError):
    """``model``, ``processor``: llama.cpp needs instructions that this processor does not have."""

    code = "processor_unsupported"
    exit_code = 3


class OutsideConnection(CodedError):
    """``target``: something tried to leave this machine; the seal refused."""

    code = "outside_connection"


class HomeFixed(CodedError):
    """``path``: the data folder was named by an option or ZHIYE_HOME, so another place would not be used."""

    code = "home_fixed"
    exit_code = 2


class HomeTargetInvalid(CodedError):
    """``path``: the data folder cannot be moved there: it is inside the old one, around it, or not empty."""

    code = "home_target_invalid"
    exit_code = 2


class ProofRefused(CodedError):
    """``names``: knowledge bases are shared with a team, so that nothing leaves cannot be certified."""

    code = "proof_refused"
    exit_code = 2


class EngineStopped(CodedError):
    """The engine thread has ended; no command can be taken."""

    code = "engine_stopped"


class WindowNotAnswering(CodedError):
    """``path``: the window of this data folder is open, and does not take what a second start hands over."""

    code = "window_not_answering"
    retryable = True
