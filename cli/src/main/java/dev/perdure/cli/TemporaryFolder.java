// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A folder for what a command needs while it runs; gone with all that is in it when closed. */
record TemporaryFolder(Path path) implements AutoCloseable {

  /**
   * Makes one.
   *
   * @param name what its name begins with
   */
  static TemporaryFolder create(String name) throws IOException {
    return new TemporaryFolder(Files.createTempDirectory(name));
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
