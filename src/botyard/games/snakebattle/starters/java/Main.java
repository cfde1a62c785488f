import client.Board;
import client.Link;

/**
 * Starts the bot, and answers every board with what its {@link Solver} says.
 *
 * <p>It is started with the address of its board page,
 * {@code http://HOST:PORT/codenjoy-contest/board/player/USER?code=CODE}.
 */
public class Main {
    private static final String BOARD = "board=";

    public static void main(String[] arguments) throws InterruptedException {
        String address = arguments[0]
                .replaceFirst("http", "ws")
                .replace("board/player/", "ws?user=")
                .replace("?code=", "&code=");
        Solver solver = new Solver();
        Link.connect(
                address, text -> text.startsWith(BOARD) ? solver.get(new Board(text.substring(BOARD.length()))) : null);
    }
}
