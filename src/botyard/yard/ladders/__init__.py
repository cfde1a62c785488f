"""Ladders: who plays whom, results as they are recorded, ratings, seasons."""
