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

/** Reads a streaming response line by line; chunk sizes are lines too. */
public final class StreamClient implements AutoCloseable {

  /** Returned in place of a line when the response has ended. */
  public static final String END = "(the end)";

  private static final int TIMEOUT_MS = 20_000;

  private final Socket socket = new Socket();
  private final BufferedReader lines;
  private final List<String> head = new ArrayList<>();

  private StreamClient(int port, String method, String target, String header) throws IOException {
    socket.setReceiveBufferSize(4 * 1024);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    socket.setSoTimeout(TIMEOUT_MS);
    String request =
        "%s %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n".formatted(method, target, header);
    socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
    lines =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8), 256);
  }

  /** Sends a request and reads nothing. */
  public static StreamClient silent(int port, String target) throws IOException {
    return new StreamClient(port, "GET", target, "");
  }

  /** Sends a request and reads the headers of the response. */
  public static StreamClient of(int port, String target) throws IOException {
    return of(port, "GET", target);
  }

  /** Sends a request with an API key and reads the headers of the response. */
  public static StreamClient withKey(int port, String target, String key) throws IOException {
    return of(port, "GET", target, "Authorization: Bearer " + key + "\r\n");
  }

  /** Sends a request with these headers and reads the headers of the response. */
  public static StreamClient withHeaders(int port, String target, String... headers)
      throws IOException {
    return of(port, "GET", target, String.join("\r\n", headers) + "\r\n");
  }

  public static StreamClient of(int port, String method, String target) throws IOException {
    return of(port, method, target, "");
  }

  private static StreamClient of(int port, String method, String target, String header)
      throws IOException {
    StreamClient client = new StreamClient(port, method, target, header);
    for (String line = client.lines.readLine();
        line != null && !line.isEmpty();
        line = client.lines.readLine()) {
      client.head.add(line);
    }
    return client;
  }

  public int status() {
    return head.isEmpty() ? 0 : Integer.parseInt(head.getFirst().split(" ", 3)[1]);
  }

  public List<String> head() {
    return List.copyOf(head);
  }

  /** Reads up to the next line that starts like this; {@link #END} if the response ends first. */
  public String next(String beginning) throws IOException {
    String line = lines.readLine();
    while (line != null && !line.startsWith(beginning)) {
      line = lines.readLine();
    }
    return line == null ? END : line;
  }

  /** The data of the next event with this name; {@link #END} if the response ends first. */
  public String nextData(String event) throws IOException {
    String found = next("event: " + event);
    return found.equals(END) ? END : next("data:");
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
