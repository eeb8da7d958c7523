// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/** A peer that listens, accepts no connection, and has a full backlog. */
final class FullBacklog implements AutoCloseable {

  private static final int MAX = 64;
  private static final int TIMEOUT_MS = 300;

  private final ServerSocket listening;
  private final List<Socket> waiting = new ArrayList<>();

  FullBacklog() throws IOException {
    listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    fill();
  }

  private void fill() throws IOException {
    for (int i = 0; i < MAX; i++) {
      Socket socket = new Socket();
      waiting.add(socket);
      try {
        socket.connect(listening.getLocalSocketAddress(), TIMEOUT_MS);
      } catch (SocketTimeoutException full) {
        return;
      }
    }
    throw new AssertionError("the system accepts %d connections for a backlog of 1".formatted(MAX));
  }

  int port() {
    return ((InetSocketAddress) listening.getLocalSocketAddress()).getPort();
  }

  @Override
  public void close() throws IOException {
    for (Socket socket : waiting) {
      socket.close();
    }
    listening.close();
  }
}
