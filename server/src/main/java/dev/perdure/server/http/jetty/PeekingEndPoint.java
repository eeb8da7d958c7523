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
 * A connection that tells whether its client has hung up, also while nobody reads from it: a client
 * that waits for an answer says nothing, and so does one that has gone. To tell them apart a byte
 * is read; when it is one of the next request, it is kept for whoever reads that.
 */
final class PeekingEndPoint extends SocketChannelEndPoint {

  /** For reading, with one byte in it or none. */
  private final ByteBuffer peeked = ByteBuffer.allocate(1).limit(0);

  PeekingEndPoint(
      SocketChannel channel, ManagedSelector selector, SelectionKey key, Scheduler scheduler) {
    super(channel, selector, key, scheduler);
  }

  /** True when this connection's client will say nothing more. Does not wait. */
  static boolean isClientGone(EndPoint endPoint) {
    return !(endPoint instanceof PeekingEndPoint peeking) || peeking.isClientGone();
  }

  /** Only while a request is answered that has arrived whole: then nobody else reads. */
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
