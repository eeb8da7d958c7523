// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A server that sends a fixed response to its first request, and refuses all others. */
final class ForeignServer implements AutoCloseable {

  private static final int MAX_READ = 1_000;

  private final ServerSocket socket;

  ForeignServer(String response) throws IOException {
    socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(() -> respond(response));
  }

  /** A server that responds with this status and JSON. */
  static ForeignServer json(int status, String body) throws IOException {
    return new ForeignServer(
        "HTTP/1.1 %d X\r\nConnection: close\r\n\r\n%s".formatted(status, body));
  }

  String url() {
    return "http://127.0.0.1:" + socket.getLocalPort();
  }

  private void respond(String response) {
    try (Socket caller = socket.accept()) {
      socket.close();
      if (caller.getInputStream().read(new byte[MAX_READ]) < 0) {
        return;
      }
      caller.getOutputStream().write(response.getBytes(StandardCharsets.US_ASCII));
      caller.getOutputStream().flush();
      caller.shutdownOutput();
      caller.getInputStream().readAllBytes();
    } catch (IOException e) {
      // The test is over.
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
