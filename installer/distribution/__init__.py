"""Packages for machines without Python: frozen folder, .deb, archive, offline bundle, installer scripts."""
