// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A server that is not Perdure: sends a fixed response and closes the connection. */
final class ForeignServer implements AutoCloseable {

  private static final int MAX_READ = 100;

  private final ServerSocket socket;

  ForeignServer(String response) throws IOException {
    socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(() -> respond(response));
  }

  String url() {
    return "http://127.0.0.1:" + socket.getLocalPort();
  }

  private void respond(String response) {
    try (Socket caller = socket.accept()) {
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
