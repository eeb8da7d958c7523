// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A connection on which a test sends exactly the bytes it wants to. */
public final class RawHttpClient implements AutoCloseable {

  private static final int PATIENCE_MS = 20_000;

  private final Socket socket;

  private RawHttpClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(PATIENCE_MS);
  }

  public static RawHttpClient to(int port) throws IOException {
    return new RawHttpClient(port);
  }

  /** What came back. */
  public record RawResponse(int status, Map<String, String> headers, String body) {

    public String header(String name) {
      return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }

    public JsonNode json() {
      return JsonMapper.shared().readTree(body);
    }
  }

  /** One request on a connection of its own. */
  public static RawResponse ask(int port, String method, String target, String... headers)
      throws IOException {
    return ask(port, method, target, List.of(headers), "");
  }

  /** The same with a body; JSON unless the headers name another type. */
  public static RawResponse post(int port, String target, String body, String... headers)
      throws IOException {
    return ask(port, "POST", target, List.of(headers), body);
  }

  public static RawResponse ask(
      int port, String method, String target, List<String> headers, String body)
      throws IOException {
    try (RawHttpClient rawHttpClient = to(port)) {
      StringBuilder request = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
      headers.forEach(header -> request.append(header).append("\r\n"));
      if (headers.stream().noneMatch(header -> header.startsWith("Host:"))) {
        request.append("Host: localhost:").append(port).append("\r\n");
      }
      if (!body.isEmpty()) {
        int length = body.getBytes(StandardCharsets.UTF_8).length;
        request.append("Content-Length: ").append(length).append("\r\n");
      }
      boolean typed = headers.stream().anyMatch(header -> header.startsWith("Content-Type:"));
      if (!body.isEmpty() && !typed) {
        request.append("Content-Type: application/json\r\n");
      }
      return rawHttpClient.send(request + "Connection: close\r\n\r\n" + body).readResponse();
    }
  }

  public RawHttpClient send(String text) throws IOException {
    return send(text.getBytes(StandardCharsets.UTF_8));
  }

  public RawHttpClient send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  /** One answer whose length its headers say, so that the connection can go on. */
  public RawResponse readResponse() throws IOException {
    return readResponseTo("any");
  }

  /** The same; to HEAD it has no body, whatever its headers say. */
  public RawResponse readResponseTo(String method) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.UTF_8).endsWith("\r\n\r\n")) {
      int next = socket.getInputStream().read();
      if (next < 0) {
        throw new IOException("closed after '" + head.toString(StandardCharsets.UTF_8) + "'");
      }
      head.write(next);
    }
    List<String> lines = head.toString(StandardCharsets.UTF_8).lines().toList();
    Map<String, String> headers = new TreeMap<>();
    for (String line : lines.subList(1, lines.size() - 1)) {
      String[] pair = line.split(": ?", 2);
      headers.put(pair[0].toLowerCase(Locale.ROOT), pair[1]);
    }
    int length =
        method.equals("HEAD") ? 0 : Integer.parseInt(headers.getOrDefault("content-length", "0"));
    byte[] body = socket.getInputStream().readNBytes(length);
    int status = Integer.parseInt(lines.getFirst().split(" ", 3)[1]);
    return new RawResponse(status, headers, new String(body, StandardCharsets.UTF_8));
  }

  /** Reads so many bytes of an answer. */
  public void read(int bytes) throws IOException {
    socket.getInputStream().readNBytes(bytes);
  }

  /** Waits until the other side closes, and tells what it said last. */
  public String readToEnd() throws IOException {
    ByteArrayOutputStream words = new ByteArrayOutputStream();
    try {
      socket.getInputStream().transferTo(words);
    } catch (SocketException reset) {
      words.writeBytes(new byte[0]);
    }
    return words.toString(StandardCharsets.UTF_8);
  }

  /** Says that nothing more will come. */
  public void disconnect() throws IOException {
    socket.shutdownOutput();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
