// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.TerminalWriter;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that every command has. */
final class OutputOptions {

  /** When to write in colour. */
  enum Color {
    ALWAYS,
    NEVER,
    AUTO;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Reads {@link Color} from its word. */
  static final class ColorConverter implements ITypeConverter<Color> {
    @Override
    public Color convert(String word) {
      return Stream.of(Color.values())
          .filter(color -> color.word().equals(word))
          .findFirst()
          .orElseThrow(
              () -> new TypeConversionException("must be always, never or auto, not " + word));
    }
  }

  @Option(names = "--json", description = "Answer in JSON, for programs.")
  boolean json;

  @Option(
      names = "--color",
      paramLabel = "WHEN",
      converter = ColorConverter.class,
      description = "Colour: always, never or auto (on a terminal only).")
  private Color color = Color.AUTO;

  @SuppressWarnings("UnusedVariable") // picocli itself answers it
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this.")
  private boolean help;

  /** An empty page on standard output. */
  TerminalWriter writer(CliContext cliContext) {
    return new TerminalWriter(cliContext.out(), cliContext.width(), colored(cliContext));
  }

  boolean colored(CliContext cliContext) {
    return switch (color) {
      case ALWAYS -> true;
      case NEVER -> false;
      case AUTO -> cliContext.wantsColor();
    };
  }

  /** The option that makes another command as colourful as this one. */
  String colorArgument() {
    return "--color=" + color.word();
  }
}
