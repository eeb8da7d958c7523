// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.policy.explain.Linter;
import java.util.List;

/** Prints the warnings of the linter for people. */
public final class LintText {

  private static final int LABEL_COLUMNS = 7;

  private LintText() {}

  public static void print(TerminalWriter writer, List<Linter.Warning> warnings) {
    if (warnings.isEmpty()) {
      writer.paragraph("No warnings: this policy suits that use.", AnsiStyle.GOOD);
      return;
    }
    for (Linter.Warning warning : warnings) {
      String where = warning.path().isEmpty() ? "" : "  " + warning.path();
      writer.line(
          StyledText.of(warning.id(), AnsiStyle.WARNING), StyledText.of(where, AnsiStyle.STRONG));
      writer.field("  why", LABEL_COLUMNS, warning.message());
      writer.field("  fix", LABEL_COLUMNS, warning.fix());
      writer.blank();
    }
    writer.paragraph(NumberFormatting.count(warnings.size(), "warning", "warnings") + ".");
  }
}
