"""Rendering: a scene as terminal text."""
