"""The client library: what a board shows, and the shortest ways on it. The README lists all of it."""

from client.board import Board
from client.direction import Direction
from client.element import Element, Group
from client.point import Point
from client.snake import Snake
from client.ways import Ways

__all__ = ["Board", "Direction", "Element", "Group", "Point", "Snake", "Ways"]
