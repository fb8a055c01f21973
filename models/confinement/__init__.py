"""Limits that Linux itself keeps for a process and all that it starts; elsewhere they do nothing.

They are native: a library that opens sockets without Python is bound by them, too. They cannot be lifted,
and need no rights. Both are spoken to through ctypes: pyseccomp 0.1.2 needs a libseccomp that is not in its
wheel, and may be missing or another one on the machine; for Landlock there is no library in wheels.
"""
