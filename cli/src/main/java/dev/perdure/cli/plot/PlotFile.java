// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.plot;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** A file for a picture. It appears whole or not at all. */
public final class PlotFile {

  private static final String SVG = ".svg";
  private static final String PNG = ".png";

  private final Path file;

  private PlotFile(Path file) {
    this.file = file;
  }

  /**
   * The file of this name.
   *
   * @throws IllegalArgumentException when no picture can stand there, with the reason
   */
  public static PlotFile of(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (!lower.endsWith(SVG) && !lower.endsWith(PNG)) {
      throw new IllegalArgumentException("'" + name + "' must end in .svg or .png");
    }
    Path file = Path.of(name).toAbsolutePath();
    if (Files.isDirectory(file)) {
      throw new IllegalArgumentException("'" + name + "' is a directory");
    }
    Path folder = folder(file);
    if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
      throw new IllegalArgumentException("cannot write into the folder '" + folder + "'");
    }
    return new PlotFile(file);
  }

  private static Path folder(Path file) {
    Path parent = file.getParent();
    return parent == null ? file : parent;
  }

  public String name() {
    return file.toString();
  }

  /**
   * Draws the picture into it.
   *
   * @throws IOException when that cannot be done; then the file is as it was
   */
  public void write(Plot picture) throws IOException {
    byte[] bytes =
        name().toLowerCase(Locale.ROOT).endsWith(SVG)
            ? SvgCanvas.draw(picture).getBytes(StandardCharsets.UTF_8)
            : PngCanvas.draw(picture);
    Path part =
        folder(file).resolve(".%s.%d".formatted(file.getFileName(), ProcessHandle.current().pid()));
    try {
      Files.write(part, bytes, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new IOException("cannot write '%s': %s".formatted(file, e.getMessage()), e);
    } finally {
      Files.deleteIfExists(part);
    }
  }
}
