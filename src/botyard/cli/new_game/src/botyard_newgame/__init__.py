"""New game: two walkers gather coins on a small board.

Botyard finds the game through the entry point in pyproject.toml and uses these parts of it:

    facts     its name, its seats, its orders
    settings  what an organiser can choose
    layout    how a game lies in memory
    rules     how a game goes
    bots      bots of the house, to play against
    wire      how bots that are programs are spoken to
    scene     how people see it
    samples   settings of short games, for tests
    starters  bots to begin with, a folder for each language
    README.md its page
"""
