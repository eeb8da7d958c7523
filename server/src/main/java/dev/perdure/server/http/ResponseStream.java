// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.util.function.Consumer;

/** The way to a client whose answer goes on. No thread waits while it does. */
public interface ResponseStream {

  /**
   * Sends a piece, one at a time. Whether it went out is told when that is known, maybe by another
   * thread; after a piece that did not, the channel is closed.
   */
  void send(byte[] piece, Consumer<Boolean> wentOut);

  /** Ends the answer, while no piece is on its way. */
  void end();

  /** Cuts the connection: a piece on its way does not arrive. */
  void abort();
}
