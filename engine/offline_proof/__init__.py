"""拔网线证明: the program goes through its work on the sample documents where nothing can leave, and a report
says what was tried.

:mod:`engine.offline_proof.proving` starts the parts (the engine, and the window where it is installed), each
in a process of its own under :mod:`engine.offline_proof.rehearsal`; :mod:`engine.offline_proof.report` writes
what they found.
"""
