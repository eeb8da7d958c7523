// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.server.config.Configuration;
import java.util.List;

/** Shows settings to people, those that somebody set in bold. */
public final class ConfigurationText {

  private ConfigurationText() {}

  public static void print(TerminalWriter terminalWriter, Configuration configuration) {
    Table table = new Table(List.of(Table.Side.LEFT, Table.Side.LEFT, Table.Side.LEFT));
    table.header(List.of("setting", "value", "from"));
    for (Configuration.Entry entry : configuration.entries()) {
      AnsiStyle ansiStyle =
          entry.origin().equals(Configuration.DEFAULT) ? AnsiStyle.PLAIN : AnsiStyle.STRONG;
      table.row(
          List.of(
              StyledText.of(entry.setting().name(), ansiStyle),
              StyledText.of(TerminalSafe.oneLine(entry.redactedText()), ansiStyle),
              StyledText.of(TerminalSafe.oneLine(entry.origin()), AnsiStyle.FAINT)));
    }
    table.print(terminalWriter);
  }
}
