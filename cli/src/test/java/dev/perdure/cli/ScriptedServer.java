// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A server that answers each route as the test says; the last answer of a route repeats. It sends
 * no date, so that commands use the clock of the test.
 */
final class ScriptedServer implements AutoCloseable {

  private static final String LENGTH = "content-length:";
  private static final String NOTHING =
      "{\"title\": \"Not Found\", \"detail\": \"there is nothing here\"}";

  private record Answer(int status, String body) {}

  private final ServerSocket socket;
  private final Map<String, Deque<Answer>> answers = new HashMap<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();

  ScriptedServer() throws IOException {
    socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::serve);
  }

  /** The route is a method and a path without a query, such as {@code GET /batches}. */
  ScriptedServer on(String route, String... bodies) {
    return on(200, route, bodies);
  }

  synchronized ScriptedServer on(int status, String route, String... bodies) {
    Deque<Answer> list = answers.computeIfAbsent(route, key -> new ArrayDeque<>());
    for (String body : bodies) {
      list.add(new Answer(status, body));
    }
    return this;
  }

  private synchronized Answer next(String route) {
    Deque<Answer> list = answers.getOrDefault(route, new ArrayDeque<>());
    return list.isEmpty()
        ? new Answer(404, NOTHING)
        : list.size() == 1 ? list.getFirst() : list.removeFirst();
  }

  private void serve() {
    while (!socket.isClosed()) {
      try (Socket caller = socket.accept()) {
        respond(caller);
      } catch (IOException e) {
        // The caller has gone, or the test is over.
      }
    }
  }

  private void respond(Socket caller) throws IOException {
    DataInputStream in = new DataInputStream(caller.getInputStream());
    String[] request = line(in).split(" ", -1);
    int length = 0;
    for (String header = line(in); !header.isEmpty(); header = line(in)) {
      if (header.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
        length = Integer.parseInt(header.substring(LENGTH.length()).strip());
      }
    }
    String received = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    requests.add("%s %s %s".formatted(request[0], request[1], received).strip());
    Answer answer = next(request[0] + " " + request[1].split("[?]", 2)[0]);
    byte[] body = answer.body.getBytes(StandardCharsets.UTF_8);
    String head =
        "HTTP/1.1 %d X\r\nConnection: close\r\nX-Total-Count: 1\r\nContent-Length: %d\r\n\r\n"
            .formatted(answer.status, body.length);
    caller.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    caller.getOutputStream().write(body);
    caller.getOutputStream().flush();
  }

  private static String line(DataInputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (char c = (char) in.readUnsignedByte(); c != '\n'; c = (char) in.readUnsignedByte()) {
      line.append(c);
    }
    return line.toString().strip();
  }

  /** Each request as its method, target and body. */
  List<String> requests() {
    return requests;
  }

  TestCli shell() {
    return new TestCli().environment("PERDURE_URL", "http://127.0.0.1:" + socket.getLocalPort());
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
