// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Throws what a PrintStream would keep to itself: a command whose answer nobody reads any more, or
 * that a full disk does not hold, ends with its next write instead of asking on.
 */
final class FailFastOutputStream extends FilterOutputStream {

  private @Nullable IOException failure;

  FailFastOutputStream(OutputStream out) {
    super(out);
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    attempt(() -> out.write(bytes, offset, length));
  }

  @Override
  public void flush() {
    attempt(out::flush);
  }

  private interface WriteOperation {
    void run() throws IOException;
  }

  /** After one that failed all do: what comes behind a gap is of no use. */
  private void attempt(WriteOperation writeOperation) {
    if (failure == null) {
      try {
        writeOperation.run();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw new OutputFailedException(failure);
    }
  }
}
