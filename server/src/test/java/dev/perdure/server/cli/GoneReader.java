// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** A pipe whose reader takes so many pieces, does something, and goes. */
final class GoneReader extends OutputStream {

  private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
  private final Runnable deed;
  private int left;

  GoneReader(int pieces, Runnable deed) {
    this.left = pieces;
    this.deed = deed;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (left == 0) {
      throw new IOException("Broken pipe");
    }
    taken.write(bytes, offset, length);
    left--;
    if (left == 0) {
      deed.run();
    }
  }

  String text() {
    return taken.toString(StandardCharsets.UTF_8);
  }
}
