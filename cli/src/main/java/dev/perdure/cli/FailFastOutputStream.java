// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Throws the errors that a PrintStream swallows. A command whose reader has gone, or whose disk is
 * full, then ends with its next write instead of sending more requests.
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

  /** Once a write has failed, all do: output with a gap in it is useless. */
  private void attempt(WriteOperation operation) {
    if (failure == null) {
      try {
        operation.run();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw new OutputFailedException(failure);
    }
  }
}
