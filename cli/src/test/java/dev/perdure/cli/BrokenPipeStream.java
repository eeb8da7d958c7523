// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** A pipe whose reader reads until it has seen enough, runs an action, and closes it. */
final class BrokenPipeStream extends OutputStream {

  private final ByteArrayOutputStream received = new ByteArrayOutputStream();
  private final Predicate<String> enough;
  private final Runnable action;
  private boolean closed;

  /**
   * @param enough whether the reader has seen enough, asked after each write
   */
  BrokenPipeStream(Predicate<String> enough, Runnable action) {
    this.enough = enough;
    this.action = action;
  }

  /** Reads this many writes. */
  static BrokenPipeStream after(int writes, Runnable action) {
    AtomicInteger left = new AtomicInteger(writes);
    return new BrokenPipeStream(text -> left.decrementAndGet() == 0, action);
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (closed) {
      throw new IOException("Broken pipe");
    }
    received.write(bytes, offset, length);
    closed = enough.test(text());
    if (closed) {
      action.run();
    }
  }

  String text() {
    return received.toString(StandardCharsets.UTF_8);
  }
}
