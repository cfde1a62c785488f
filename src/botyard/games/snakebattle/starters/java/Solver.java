import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

/** Eats what is nearest, and stays where there is room. A board is a square of signs, read row by row. */
class Solver {
    private static final String[] WORDS = {"LEFT", "RIGHT", "UP", "DOWN"};
    private static final String HEADS = "◄►▲▼♥♠"; // in the order of WORDS; the last two are furious, and fly
    private static final String BODY = "═║╗╝╔╚╕╘╙╓";
    private static final String RIVALS = "<>˄˅♣♦";
    private static final String FOOD = "○$®©"; // apple, gold, fury pill, flying pill
    private static final String FREE = " " + FOOD;
    private static final int FAR = 1_000_000;

    private final String board;
    private final int[] steps;

    Solver(String board) {
        this.board = board;
        int side = (int) Math.round(Math.sqrt(board.length()));
        this.steps = new int[] {-1, 1, -side, side}; // the border is wall: no step leaves the board
    }

    /** This is the place to make the bot better: the way that costs least is taken. */
    String decide() {
        int head = find(HEADS);
        if (head < 0) return ""; // asleep, dead, or hidden under another snake: straight on
        int looks = HEADS.indexOf(board.charAt(head));
        int length = 1 + count(BODY);

        String best = "";
        long least = Long.MAX_VALUE;
        for (int at = 0; at < WORDS.length; at++) {
            int there = head + steps[at];
            boolean back = looks < WORDS.length && at == (looks ^ 1); // nobody turns on the spot
            if (back || !isAt(FREE + BODY, there)) continue;
            long cost = isAt(BODY, there) ? 100L * FAR : cost(there, length); // biting oneself is better than a wall
            if (cost < least) {
                least = cost;
                best = WORDS[at];
            }
        }
        return best;
    }

    private long cost(int start, int length) {
        Map<Integer, Integer> away = explore(start);
        long nearest = FAR;
        for (int cell : away.keySet()) if (isAt(FOOD, cell)) nearest = Math.min(nearest, away.get(cell));
        boolean cramped = away.size() < length;
        return (besideRival(start) ? 10L * FAR : 0) + (cramped ? 2L * FAR : 0) + nearest;
    }

    /** The cells that can be reached from a cell, and how far they are. */
    private Map<Integer, Integer> explore(int start) {
        Map<Integer, Integer> away = new HashMap<>(Map.of(start, 0));
        Queue<Integer> queue = new ArrayDeque<>(away.keySet());
        while (!queue.isEmpty()) {
            int cell = queue.remove();
            for (int step : steps) {
                boolean free = isAt(FREE, cell + step);
                if (free && away.putIfAbsent(cell + step, away.get(cell) + 1) == null) queue.add(cell + step);
            }
        }
        return away;
    }

    private boolean besideRival(int cell) {
        for (int step : steps) if (isAt(RIVALS, cell + step)) return true;
        return false;
    }

    private boolean isAt(String signs, int cell) {
        return cell >= 0 && cell < board.length() && signs.indexOf(board.charAt(cell)) >= 0;
    }

    private int find(String signs) {
        for (int cell = 0; cell < board.length(); cell++) if (isAt(signs, cell)) return cell;
        return -1;
    }

    private int count(String signs) {
        return (int) board.chars().filter(sign -> signs.indexOf(sign) >= 0).count();
    }
}
