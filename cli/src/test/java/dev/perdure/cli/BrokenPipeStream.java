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

  private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
  private final Predicate<String> enough;
  private final Runnable deed;
  private boolean gone;

  /**
   * @param enough whether the reader has seen enough, asked after each write
   */
  BrokenPipeStream(Predicate<String> enough, Runnable deed) {
    this.enough = enough;
    this.deed = deed;
  }

  /** Reads this many writes. */
  static BrokenPipeStream after(int pieces, Runnable deed) {
    AtomicInteger left = new AtomicInteger(pieces);
    return new BrokenPipeStream(text -> left.decrementAndGet() == 0, deed);
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (gone) {
      throw new IOException("Broken pipe");
    }
    taken.write(bytes, offset, length);
    gone = enough.test(text());
    if (gone) {
      deed.run();
    }
  }

  String text() {
    return taken.toString(StandardCharsets.UTF_8);
  }
}
