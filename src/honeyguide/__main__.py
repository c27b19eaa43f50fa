"""python -m honeyguide is the same as honeyguide."""

from honeyguide.cli import main

if __name__ == "__main__":
    main()
