package client;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;

/** The WebSocket. You need not read this to write a bot. */
public final class Link implements WebSocket.Listener {
    private final StringBuilder message = new StringBuilder();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final UnaryOperator<String> answer;

    private Link(UnaryOperator<String> answer) {
        this.answer = answer;
    }

    /** Opens ws://… or wss://…, and answers every text until the server closes; null is no answer. */
    public static void connect(String address, UnaryOperator<String> answer) throws InterruptedException {
        Link link = new Link(answer);
        HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(URI.create(address), link).join();
        link.closed.await();
    }

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
        message.append(part); // a board may come in several parts
        socket.request(1);
        if (!last) return null;
        String text = message.toString();
        message.setLength(0);
        String said = answer.apply(text);
        return said == null ? null : socket.sendText(said, true);
    }

    @Override
    public CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
        return socket.sendClose(WebSocket.NORMAL_CLOSURE, "").thenRun(closed::countDown);
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
        System.err.println("the connection broke: " + error);
        closed.countDown();
    }
}
