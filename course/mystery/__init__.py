"""Broken training jobs without a label, composed from a seed."""
