// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.server.config.Configuration;
import java.util.List;

/** Prints the configuration for people, with changed settings in bold. */
public final class ConfigurationText {

  private ConfigurationText() {}

  public static void print(TerminalWriter writer, Configuration configuration) {
    Table table = new Table(List.of(Table.Side.LEFT, Table.Side.LEFT, Table.Side.LEFT));
    table.header(List.of("setting", "value", "from"));
    for (Configuration.Entry entry : configuration.entries()) {
      AnsiStyle style =
          entry.origin().equals(Configuration.DEFAULT) ? AnsiStyle.PLAIN : AnsiStyle.STRONG;
      table.row(
          List.of(
              StyledText.of(entry.setting().name(), style),
              StyledText.of(TerminalSanitizer.oneLine(entry.redactedText()), style),
              StyledText.of(TerminalSanitizer.oneLine(entry.origin()), AnsiStyle.FAINT)));
    }
    table.print(writer);
  }
}
