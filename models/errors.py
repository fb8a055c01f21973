"""The base of every typed error, and the errors of model files.

An error carries a ``code`` (words for it stand in ``resources/messages``), the parameters of its
sentence and whether trying again can help. People never see the class name.
"""

from typing import Any, ClassVar


class CodedError(Exception):
    """A failure that has a name.

    ``exit_code`` is the command line's exit status for it; ``params`` fill the placeholders of the
    message and of the advice.
    """

    code: ClassVar[str] = "internal"
    exit_code: ClassVar[int] = 5
    retryable: ClassVar[bool] = False

    def __init__(self, **params: Any) -> None:
        super().__init__(self.code, params)
        self.params = params

    def __str__(self) -> str:
        details = ", ".join(f"{key}={value}" for key, value in self.params.items())
        return f"{self.code} ({details})" if details else self.code


class ModelError(CodedError):
    """A model file is missing or cannot be used."""

    code = "model_unusable"
    exit_code = 3


class ModelUnknown(ModelError):
    """``model``: an id that is neither in the catalogue nor in the store."""

    code = "model_unknown"


class ModelMissing(ModelError):
    """``model``: known, but its files are not on this machine."""

    code = "model_missing"


class ModelIncomplete(ModelError):
    """``path``, ``size``, ``expected``: the file ends before its own header says it should."""

    code = "model_incomplete"


class ModelNotGguf(ModelError):
    """``path``: the file does not start with the GGUF magic (a web page saved as a model, say)."""

    code = "model_not_gguf"


class ModelPartOnly(ModelError):
    """``path``: one part of a model that was split into several files."""

    code = "model_part_only"


class ModelEmpty(ModelError):
    """``path``: zero bytes."""

    code = "model_empty"


class ModelPointer(ModelError):
    """``path``: a git-LFS pointer text instead of the file."""

    code = "model_pointer"


class ModelFileMissing(ModelError):
    """``path``, ``name``: an embedder's folder that lacks this file."""

    code = "model_file_missing"


class ModelNotSafetensors(ModelError):
    """``path``: a folder that holds its weights as a pickle, which could run anything when it is loaded."""

    code = "model_not_safetensors"


class ModelStructureWrong(ModelError):
    """``path``, ``model``, ``detail``: a file that says its folder is not the ``model`` it is wanted as."""

    code = "model_structure_wrong"


class ModelLinkOutside(ModelError):
    """``path``: a link in an embedder's folder that leads out of it."""

    code = "model_link_outside"


class ModelDamaged(ModelError):
    """``path``: the SHA-256 differs from the one recorded, or the header contradicts itself."""

    code = "model_damaged"


class ModelFormatUnsupported(ModelError):
    """``path``, ``version``: a GGUF version that this program cannot read."""

    code = "model_format_unsupported"


class ModelUnreadable(ModelError):
    """``path``, ``detail``: the operating system does not let the file be read."""

    code = "model_unreadable"


class ModelStorageFailed(ModelError):
    """``path``, ``detail``: the models folder cannot be written to."""

    code = "model_storage_failed"
    retryable = True


class ModelBusy(ModelError):
    """``model``: another process is fetching this model into the same folder."""

    code = "model_busy"
    retryable = True


class ModelNotFetched(ModelError):
    """``model``, ``publisher``: no source has this model in a form that is used here; a person adds it."""

    code = "model_not_fetched"
    exit_code = 2


class ModelPermanent(ModelError):
    """``model``: ships with the program and cannot be removed."""

    code = "model_permanent"
    exit_code = 2


class ModelInUse(ModelError):
    """``model``: it is in use, and another one could be chosen in its place."""

    code = "model_in_use"
    exit_code = 2


class ModelNotInCatalogue(ModelError):
    """``path``, ``architecture``: a sound GGUF file of which nothing else is known; a person may add it."""

    code = "model_not_in_catalogue"
    exit_code = 2


class ModelTooLarge(ModelError):
    """``model``, ``needed_gb``, ``total_gb``: it needs more memory than this machine has."""

    code = "model_too_large"


class ModelNotFoundIn(ModelError):
    """``path``: a folder without a model."""

    code = "model_not_found_in"
    exit_code = 2


class ModelsSeveral(ModelError):
    """``path``, ``names``: a folder with more than one model."""

    code = "models_several"
    exit_code = 2


class ModelDiskFull(ModelError):
    """``path``, ``needed_mb``, ``free_mb``: not enough space to store the model."""

    code = "model_disk_full"
    retryable = True


class ModelSourcesFailed(ModelError):
    """``model``, ``tried``: no source of the catalogue could deliver the files."""

    code = "model_sources_failed"
    retryable = True


class AcquisitionStopped(ModelError):
    """``model``, ``detail``: the process that fetches models ended without a result."""

    code = "model_acquisition_stopped"
    retryable = True


class CatalogueInvalid(ModelError):
    """``key``, ``problem``: an entry of the model catalogue makes no sense; a fault of the program."""

    code = "catalogue_invalid"
    exit_code = 5


def error_from(code: str, params: dict[str, Any]) -> ModelError:
    """The error of this module with that code, as a message from another process names it."""
    kinds: dict[str, type[ModelError]] = {kind.code: kind for kind in ModelError.__subclasses__()}
    return kinds.get(code, ModelError)(**params)
