// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.plot.Plot;
import dev.perdure.cli.plot.PlotFile;
import dev.perdure.cli.text.AnsiStyle;
import dev.perdure.cli.text.TerminalWriter;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Where a picture goes when one is asked for. */
final class PlotTarget {

  /** Nobody asked for a picture. */
  static final PlotTarget NONE = new PlotTarget(null);

  private final @Nullable PlotFile file;

  private PlotTarget(@Nullable PlotFile file) {
    this.file = file;
  }

  /**
   * The file of this name.
   *
   * @throws IllegalArgumentException when no picture can stand there
   */
  static PlotTarget of(String name) {
    return new PlotTarget(PlotFile.of(name));
  }

  void write(Supplier<Plot> picture) {
    if (file == null) {
      return;
    }
    try {
      file.write(picture.get());
    } catch (IOException e) {
      throw new UsageException("--plot", String.valueOf(e.getMessage()));
    }
  }

  /** Says where the picture is. */
  void report(TerminalWriter terminalWriter) {
    if (file != null) {
      terminalWriter.blank();
      terminalWriter.paragraph("Drawn in " + file.name(), AnsiStyle.FAINT);
    }
  }
}
