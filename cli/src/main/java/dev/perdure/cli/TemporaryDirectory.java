// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A directory that is deleted with all its files when it is closed. */
record TemporaryDirectory(Path path) implements AutoCloseable {

  /**
   * Creates a directory.
   *
   * @param prefix the start of its name
   */
  static TemporaryDirectory create(String prefix) throws IOException {
    return new TemporaryDirectory(Files.createTempDirectory(prefix));
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
