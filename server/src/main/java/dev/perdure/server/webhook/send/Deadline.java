// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The end of a call's time. When it comes, the call's socket is closed under it: whatever the call
 * is doing then (connecting, shaking hands, reading a byte a second) fails at once. A timeout of
 * the socket itself begins anew with each byte.
 */
final class Deadline implements AutoCloseable {

  private final Consumer<Deadline> onClose;
  private @Nullable Future<?> timer;
  private @Nullable Socket socket;
  private boolean expired;

  Deadline(Consumer<Deadline> onClose) {
    this.onClose = onClose;
  }

  synchronized void setTimer(Future<?> pending) {
    timer = pending;
  }

  /** From now on this socket is the call's. */
  synchronized void attach(Socket opened) throws SocketTimeoutException {
    if (expired) {
      throw new SocketTimeoutException("no time is left");
    }
    socket = opened;
  }

  synchronized boolean isExpired() {
    return expired;
  }

  synchronized void expire() {
    expired = true;
    if (socket != null) {
      closeQuietly(socket);
    }
  }

  /** Closes without a farewell: a peer that does not read could make us wait for it. */
  static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // What cannot be closed is already broken.
    }
  }

  @Override
  public synchronized void close() {
    onClose.accept(this);
    if (timer != null) {
      timer.cancel(false);
    }
    if (socket != null) {
      closeQuietly(socket);
    }
  }
}
