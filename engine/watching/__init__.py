"""Notices what changes in the folders of the libraries, in threads of its own and without Qt.

``watcher`` knows which folders are wanted, ``directory`` has one of them watched by the operating system,
``shares`` tells where that hears only half, ``bursts`` turns many events into few calls.
"""
