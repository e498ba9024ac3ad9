"""`python -m raspl` is the command line."""

from raspl.cli import main

main()
