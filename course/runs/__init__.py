"""Training runs that several lessons share, recorded as plain data."""
