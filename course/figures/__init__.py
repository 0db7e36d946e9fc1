"""One module for each kind of figure: recordings in, a Picture out."""
