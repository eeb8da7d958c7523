// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Hands out ports that are not in use. They are below the range from which the system assigns
 * ports, so no other program takes one before the test does.
 */
public final class UnusedPort {

  private static final int FIRST = 20_000;
  private static final int COUNT = 12_000;

  private static final AtomicInteger NEXT =
      new AtomicInteger((int) (ProcessHandle.current().pid() * 100 % COUNT));

  private UnusedPort() {}

  public static int next() {
    for (int tries = 0; tries < COUNT; tries++) {
      int port = FIRST + NEXT.getAndIncrement() % COUNT;
      if (isFree(port)) {
        return port;
      }
    }
    throw new AssertionError("every port is in use");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }
}
