"""Office documents with a password, decrypted in memory; the password is never written anywhere."""

from engine.documents import FileState, Reason
from engine.intake.loaders import LoadFailed, Source


def is_locked(source: Source) -> bool:
    """Whether the OLE container holds an encrypted document."""
    return "EncryptedPackage".encode("utf-16-le") in source.bytes()


def unlock(source: Source) -> bytes:
    """The document's own bytes.

    Raises:
        LoadFailed: none of the passwords opens it.
    """
    raise LoadFailed(FileState.NEEDS_PASSWORD, Reason("password_needed"))
