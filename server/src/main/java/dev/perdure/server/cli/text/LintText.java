// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.text;

import dev.perdure.policy.explain.Linter;
import java.util.List;

/** Warnings, told to a person. */
public final class LintText {

  private static final int LABEL_COLUMNS = 7;

  private LintText() {}

  public static void print(Page page, List<Linter.Warning> warnings) {
    if (warnings.isEmpty()) {
      page.paragraph("Nothing to warn of: this policy looks wise for that use.", Tone.GOOD);
      return;
    }
    for (Linter.Warning warning : warnings) {
      String where = warning.path().isEmpty() ? "" : "  " + warning.path();
      page.line(Piece.of(warning.id(), Tone.WARNING), Piece.of(where, Tone.STRONG));
      page.field("  why", LABEL_COLUMNS, warning.message());
      page.field("  fix", LABEL_COLUMNS, warning.fix());
      page.blank();
    }
    page.paragraph(Numbers.count(warnings.size(), "warning", "warnings") + ".");
  }
}
