// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.util.function.Consumer;

/** Sends the chunks of a response that stays open. No thread waits between chunks. */
public interface ResponseStream {

  /**
   * Sends one chunk. Do not send the next one before the callback was called with the result, which
   * may happen on another thread. After a failure the stream is closed.
   */
  void send(byte[] chunk, Consumer<Boolean> callback);

  /** Ends the response. Do not call it while a chunk is being sent. */
  void end();

  /** Closes the connection; a chunk that is being sent fails. */
  void abort();
}
