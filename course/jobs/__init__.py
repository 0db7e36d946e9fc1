"""The jobs that the notebooks run, and what is recorded of them."""
