// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A folder that is deleted with all its files when it is closed. */
record TemporaryFolder(Path path) implements AutoCloseable {

  /**
   * Creates a folder.
   *
   * @param prefix the start of its name
   */
  static TemporaryFolder create(String prefix) throws IOException {
    return new TemporaryFolder(Files.createTempDirectory(prefix));
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
