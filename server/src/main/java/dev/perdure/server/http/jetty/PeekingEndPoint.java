// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http.jetty;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * A connection that can tell whether its client has disconnected while a request is being handled.
 * A client that waits for a response sends nothing, and neither does one that has gone. Only
 * reading tells them apart; a byte that belongs to the next request is kept for the next read.
 */
final class PeekingEndPoint extends SocketChannelEndPoint {

  /** Ready for reading, with one byte or none. */
  private final ByteBuffer peeked = ByteBuffer.allocate(1).limit(0);

  PeekingEndPoint(
      SocketChannel channel, ManagedSelector selector, SelectionKey key, Scheduler scheduler) {
    super(channel, selector, key, scheduler);
  }

  /** True if the client has closed the connection. Does not block. */
  static boolean isClientGone(EndPoint endPoint) {
    return !(endPoint instanceof PeekingEndPoint peeking) || peeking.isClientGone();
  }

  /** Only safe after the whole request has arrived: then nothing else reads. */
  private synchronized boolean isClientGone() {
    if (peeked.hasRemaining()) {
      return !isOpen();
    }
    peeked.clear();
    try {
      return getChannel().read(peeked) < 0;
    } catch (IOException gone) {
      return true;
    } finally {
      peeked.flip();
    }
  }

  @Override
  public int fill(ByteBuffer buffer) throws IOException {
    synchronized (this) {
      if (peeked.hasRemaining()) {
        return BufferUtil.append(buffer, peeked);
      }
    }
    return super.fill(buffer);
  }
}
