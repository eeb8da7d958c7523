// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Captures what is logged until it is closed. The logger of the tests writes to standard error. */
final class CapturedLog implements AutoCloseable {

  private final PrintStream originalErr = System.err;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  CapturedLog() {
    System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
  }

  List<String> lines() {
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Override
  public void close() {
    System.setErr(originalErr);
  }
}
