// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.text;

import dev.perdure.server.config.Configuration;
import java.util.List;

/** Shows settings to people, those that somebody set in bold. */
public final class ConfigurationText {

  private ConfigurationText() {}

  public static void print(Page page, Configuration configuration) {
    Table table = new Table(List.of(Table.Side.LEFT, Table.Side.LEFT, Table.Side.LEFT));
    table.header(List.of("setting", "value", "from"));
    for (Configuration.Entry entry : configuration.entries()) {
      Tone tone = entry.from().equals(Configuration.DEFAULT) ? Tone.PLAIN : Tone.STRONG;
      table.row(
          List.of(
              Piece.of(entry.setting().name(), tone),
              Piece.of(Foreign.line(entry.shown()), tone),
              Piece.of(Foreign.line(entry.from()), Tone.FAINT)));
    }
    table.print(page);
  }
}
