"""A library in one file (``.zhiye``), made whole again on another machine without reading or embedding.

A pack is a zip of the portable layout (:mod:`engine.index.portable`), of all documents and pages that an
import needs, and of ``manifest.json``, which names every member with its hash. It holds no absolute path.
"""
