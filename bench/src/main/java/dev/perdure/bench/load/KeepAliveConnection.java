// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;

/**
 * A minimal HTTP client on one keep-alive connection. It is written by hand because the load
 * generator shares two cores with the server, and a client library would use more CPU than the
 * server.
 */
final class KeepAliveConnection implements Closeable {

  private static final int READ_TIMEOUT_MS = 60_000;

  private final Socket socket;
  private final OutputStream out;
  private final HttpResponseReader in;
  private byte[] body = {};

  private KeepAliveConnection(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(READ_TIMEOUT_MS);
    this.out = socket.getOutputStream();
    this.in = new HttpResponseReader(socket.getInputStream());
  }

  static KeepAliveConnection open(int port) throws IOException {
    return new KeepAliveConnection(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  /** Encodes a request. */
  static byte[] request(int port, String method, String target, String json) {
    byte[] content = json.getBytes(UTF_8);
    String head =
        method
            + " "
            + target
            + " HTTP/1.1\r\nHost: 127.0.0.1:"
            + port
            + (content.length == 0 ? "" : "\r\nContent-Type: application/json")
            + "\r\nContent-Length: "
            + content.length
            + "\r\n\r\n";
    byte[] all = new byte[head.length() + content.length];
    System.arraycopy(head.getBytes(ISO_8859_1), 0, all, 0, head.length());
    System.arraycopy(content, 0, all, head.length(), content.length);
    return all;
  }

  /** Sends a request, reads the whole response and returns its status. */
  int send(byte[] request) throws IOException {
    out.write(request);
    String head = in.head();
    if (head == null) {
      throw new EOFException("The server closed the connection");
    }
    body = in.body(head);
    return Integer.parseInt(head, "HTTP/1.1 ".length(), "HTTP/1.1 200".length(), 10);
  }

  /** The body of the last response. */
  String body() {
    return new String(body, UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
