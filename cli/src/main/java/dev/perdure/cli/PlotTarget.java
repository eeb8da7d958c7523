// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.plot.Plot;
import dev.perdure.cli.plot.PlotFile;
import dev.perdure.cli.text.AnsiStyle;
import dev.perdure.cli.text.TerminalWriter;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The file of the option {@code --plot}, if it was given. */
final class PlotTarget {

  /** No plot. */
  static final PlotTarget NONE = new PlotTarget(null);

  private final @Nullable PlotFile file;

  private PlotTarget(@Nullable PlotFile file) {
    this.file = file;
  }

  /**
   * A plot in this file.
   *
   * @throws IllegalArgumentException when the file cannot be written
   */
  static PlotTarget of(String name) {
    return new PlotTarget(PlotFile.of(name));
  }

  void write(Supplier<Plot> plot) {
    if (file == null) {
      return;
    }
    try {
      file.write(plot.get());
    } catch (IOException e) {
      throw new UsageException("--plot", String.valueOf(e.getMessage()));
    }
  }

  /** Prints where the plot is. */
  void report(TerminalWriter writer) {
    if (file != null) {
      writer.blank();
      writer.paragraph("Plot written to " + file.name(), AnsiStyle.FAINT);
    }
  }
}
