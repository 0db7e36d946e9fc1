"""Notebook 20."""
