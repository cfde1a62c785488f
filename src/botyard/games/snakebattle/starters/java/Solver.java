import client.Board;

/** Your bot. One object plays the whole game, so it may remember things from turn to turn. */
class Solver {
    private final Example example = new Example();

    /** Fill this in: it gets a Board every turn, and returns an answer such as "LEFT" or "LEFT,ACT". */
    String get(Board board) {
        return example.get(board).toString();
    }
}
