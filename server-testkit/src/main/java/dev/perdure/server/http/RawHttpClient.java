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

/** A connection that sends exactly the bytes that a test gives it. */
public final class RawHttpClient implements AutoCloseable {

  private static final int TIMEOUT_MS = 20_000;

  private final Socket socket;

  private RawHttpClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(TIMEOUT_MS);
  }

  public static RawHttpClient to(int port) throws IOException {
    return new RawHttpClient(port);
  }

  /** A response; header names are in lower case. */
  public record RawResponse(int status, Map<String, String> headers, String body) {

    public String header(String name) {
      return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }

    public JsonNode json() {
      return JsonMapper.shared().readTree(body);
    }
  }

  /** Sends one request on a new connection. */
  public static RawResponse request(int port, String method, String target, String... headers)
      throws IOException {
    return request(port, method, target, List.of(headers), "");
  }

  /** Sends a POST request with a body, as JSON unless the headers name another type. */
  public static RawResponse post(int port, String target, String body, String... headers)
      throws IOException {
    return request(port, "POST", target, List.of(headers), body);
  }

  public static RawResponse request(
      int port, String method, String target, List<String> headers, String body)
      throws IOException {
    try (RawHttpClient http = to(port)) {
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
      return http.send(request + "Connection: close\r\n\r\n" + body).readResponse();
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

  /** Reads one response of the length in its headers, so that the connection stays usable. */
  public RawResponse readResponse() throws IOException {
    return readResponseTo("any");
  }

  /**
   * Reads one response to this method. A response to HEAD has no body, whatever its headers say.
   */
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

  /** Reads this many bytes of a response. */
  public void read(int bytes) throws IOException {
    socket.getInputStream().readNBytes(bytes);
  }

  /** Reads until the server closes the connection; returns what it sent. */
  public String readToEnd() throws IOException {
    ByteArrayOutputStream received = new ByteArrayOutputStream();
    try {
      socket.getInputStream().transferTo(received);
    } catch (SocketException reset) {
      received.writeBytes(new byte[0]);
    }
    return received.toString(StandardCharsets.UTF_8);
  }

  /** Closes the sending side of the connection. */
  public void disconnect() throws IOException {
    socket.shutdownOutput();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
