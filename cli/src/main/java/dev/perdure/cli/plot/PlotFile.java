// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.plot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** An SVG file that is written whole or not at all. */
public final class PlotFile {

  private static final String SVG = ".svg";

  private final Path file;

  private PlotFile(Path file) {
    this.file = file;
  }

  /**
   * A plot file of this name.
   *
   * @throws IllegalArgumentException with the reason when the file cannot be written
   */
  public static PlotFile of(String name) {
    if (!name.toLowerCase(Locale.ROOT).endsWith(SVG)) {
      throw new IllegalArgumentException("'" + name + "' must end in .svg");
    }
    Path file = Path.of(name).toAbsolutePath();
    if (Files.isDirectory(file)) {
      throw new IllegalArgumentException("'" + name + "' is a directory");
    }
    Path directory = directory(file);
    if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
      throw new IllegalArgumentException("cannot write to the directory '" + directory + "'");
    }
    return new PlotFile(file);
  }

  private static Path directory(Path file) {
    Path parent = file.getParent();
    return parent == null ? file : parent;
  }

  public String name() {
    return file.toString();
  }

  /**
   * Writes the plot.
   *
   * @throws IOException when that fails; an existing file then stays as it was
   */
  public void write(Plot plot) throws IOException {
    Path part =
        directory(file)
            .resolve(".%s.%d".formatted(file.getFileName(), ProcessHandle.current().pid()));
    try {
      Files.writeString(
          part,
          SvgCanvas.draw(plot),
          StandardOpenOption.CREATE,
          StandardOpenOption.TRUNCATE_EXISTING);
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new IOException("cannot write '%s': %s".formatted(file, e.getMessage()), e);
    } finally {
      Files.deleteIfExists(part);
    }
  }
}
