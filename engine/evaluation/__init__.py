"""Measuring retrieval, gate and answers over sets of questions."""
