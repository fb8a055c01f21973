"""Whether the knowledge bases and this machine are in order, and putting right what is not.

``checkup`` tells the story for ``zhiye doctor`` and for the window alike; ``contents`` and ``machine`` look,
``repair`` mends.
"""
