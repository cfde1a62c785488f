"""Rooms of the yard: their rows, their members and points, and the caretaker who lets them tick."""
