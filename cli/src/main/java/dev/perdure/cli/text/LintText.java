// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.policy.explain.Linter;
import java.util.List;

/** Warnings, told to a person. */
public final class LintText {

  private static final int LABEL_COLUMNS = 7;

  private LintText() {}

  public static void print(TerminalWriter terminalWriter, List<Linter.Warning> warnings) {
    if (warnings.isEmpty()) {
      terminalWriter.paragraph(
          "Nothing to warn of: this policy looks wise for that use.", AnsiStyle.GOOD);
      return;
    }
    for (Linter.Warning warning : warnings) {
      String where = warning.path().isEmpty() ? "" : "  " + warning.path();
      terminalWriter.line(
          StyledText.of(warning.id(), AnsiStyle.WARNING), StyledText.of(where, AnsiStyle.STRONG));
      terminalWriter.field("  why", LABEL_COLUMNS, warning.message());
      terminalWriter.field("  fix", LABEL_COLUMNS, warning.fix());
      terminalWriter.blank();
    }
    terminalWriter.paragraph(NumberFormatting.count(warnings.size(), "warning", "warnings") + ".");
  }
}
