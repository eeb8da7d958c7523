// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The deadline of a call. When it expires, it closes the call's socket, so that whatever the call
 * is doing (connecting, the TLS handshake, reading a byte a second) fails at once. A socket timeout
 * would start again with each byte.
 */
final class SendDeadline implements AutoCloseable {

  private final Consumer<SendDeadline> onClose;
  private @Nullable Future<?> timer;
  private @Nullable Socket socket;
  private boolean expired;

  SendDeadline(Consumer<SendDeadline> onClose) {
    this.onClose = onClose;
  }

  synchronized void setTimer(Future<?> pending) {
    timer = pending;
  }

  /** Makes this deadline close the socket when it expires. */
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

  /** Closes the socket itself, without a TLS close: a peer that does not read could block that. */
  static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // A socket that cannot be closed is already broken.
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
