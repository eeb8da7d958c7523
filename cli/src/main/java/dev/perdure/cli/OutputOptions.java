// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.TaskText;
import dev.perdure.cli.text.TerminalWriter;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.TaskInfo;
import java.time.Instant;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that every command has. */
final class OutputOptions {

  /** When to use color. */
  enum Color {
    ALWAYS,
    NEVER,
    AUTO;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Parses a {@link Color}. */
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

  @Option(names = "--json", description = "Print JSON, for programs.")
  boolean json;

  @Option(
      names = "--color",
      paramLabel = "WHEN",
      converter = ColorConverter.class,
      description = "Use color: always, never or auto (only on a terminal).")
  private Color color = Color.AUTO;

  @SuppressWarnings("UnusedVariable") // picocli handles it
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  private boolean help;

  /** A writer for standard output. */
  TerminalWriter writer(CliContext context) {
    return new TerminalWriter(
        context.out(), context.width(), context.textWidth(), colored(context));
  }

  /** Prints a task for people. */
  interface TaskFormat {
    void print(TerminalWriter writer, TaskInfo task, Instant now);
  }

  /** Prints a task: the server's JSON as it is, or in this format. */
  void printTask(CliContext context, ApiResponse response, TaskFormat format) {
    if (json) {
      context.out().println(response.json());
    } else {
      Instant now = response.serverTime().orElse(context.now());
      format.print(writer(context), response.read(TaskInfo::of), now);
    }
  }

  /** Prints a task after a change; its data may be missing although the change was made. */
  void printChanged(CliContext context, ApiResponse response) {
    if (response.isIdOnly() && !json) {
      writer(context)
          .paragraph(
              "task %s: done, but it cannot be read now"
                  .formatted(response.json().path("id").asString("")));
    } else {
      printTask(context, response, TaskText::line);
    }
  }

  boolean colored(CliContext context) {
    return switch (color) {
      case ALWAYS -> true;
      case NEVER -> false;
      case AUTO -> context.wantsColor();
    };
  }

  /** The option that gives another command the same colors. */
  String colorArgument() {
    return "--color=" + color.word();
  }
}
