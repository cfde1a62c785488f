import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;

/**
 * A bot for Snake Battle: {@link Solver} decides, this class talks.
 *
 * <p>It is started with the address of its board page,
 * {@code http://HOST:PORT/codenjoy-contest/board/player/USER?code=CODE}. Every second it is sent the whole board and
 * answers with a direction.
 */
public class Main implements WebSocket.Listener {
    private static final String BOARD = "board=";

    private final StringBuilder message = new StringBuilder();
    private final CountDownLatch closed = new CountDownLatch(1);

    public static void main(String[] arguments) throws InterruptedException {
        String address = arguments[0]
                .replaceFirst("http", "ws")
                .replace("board/player/", "ws?user=")
                .replace("?code=", "&code=");
        Main bot = new Main();
        HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(URI.create(address), bot).join();
        bot.closed.await();
    }

    @Override
    public CompletionStage<?> onText(WebSocket link, CharSequence part, boolean last) {
        message.append(part); // a board may come in several parts
        link.request(1);
        if (!last) return null;
        String text = message.toString();
        message.setLength(0);
        if (!text.startsWith(BOARD)) return null;
        return link.sendText(new Solver(text.substring(BOARD.length())).decide(), true);
    }

    @Override
    public CompletionStage<?> onClose(WebSocket link, int status, String reason) {
        return link.sendClose(WebSocket.NORMAL_CLOSURE, "").thenRun(closed::countDown);
    }

    @Override
    public void onError(WebSocket link, Throwable error) {
        System.err.println("the connection broke: " + error);
        closed.countDown();
    }
}
