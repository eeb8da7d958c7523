// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A client of an answer that goes on, line by line; the sizes of chunks are lines too. */
public final class StreamClient implements AutoCloseable {

  /** What no line is. */
  public static final String END = "(the end)";

  private static final int PATIENCE_MS = 20_000;

  private final Socket socket = new Socket();
  private final BufferedReader lines;
  private final List<String> head = new ArrayList<>();

  private StreamClient(int port, String method, String target, String header) throws IOException {
    socket.setReceiveBufferSize(4 * 1024);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    socket.setSoTimeout(PATIENCE_MS);
    String request =
        "%s %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n".formatted(method, target, header);
    socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
    lines =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8), 256);
  }

  /** Asks, and reads no answer. */
  public static StreamClient silent(int port, String target) throws IOException {
    return new StreamClient(port, "GET", target, "");
  }

  /** Asks, and reads the headers. */
  public static StreamClient of(int port, String target) throws IOException {
    return of(port, "GET", target);
  }

  /** The same with a key. */
  public static StreamClient withKey(int port, String target, String key) throws IOException {
    return of(port, "GET", target, "Authorization: Bearer " + key + "\r\n");
  }

  public static StreamClient of(int port, String method, String target) throws IOException {
    return of(port, method, target, "");
  }

  private static StreamClient of(int port, String method, String target, String header)
      throws IOException {
    StreamClient streamClient = new StreamClient(port, method, target, header);
    for (String line = streamClient.lines.readLine();
        line != null && !line.isEmpty();
        line = streamClient.lines.readLine()) {
      streamClient.head.add(line);
    }
    return streamClient;
  }

  public int status() {
    return head.isEmpty() ? 0 : Integer.parseInt(head.getFirst().split(" ", 3)[1]);
  }

  public List<String> head() {
    return List.copyOf(head);
  }

  /** The next line with this beginning; {@link #END} when the answer ended before. */
  public String next(String beginning) throws IOException {
    String line = lines.readLine();
    while (line != null && !line.startsWith(beginning)) {
      line = lines.readLine();
    }
    return line == null ? END : line;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
