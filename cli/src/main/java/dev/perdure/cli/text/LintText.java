// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.policy.explain.Linter;
import dev.perdure.policy.json.LintReport;
import dev.perdure.policy.simulate.StabilityVerdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prints the warnings of the linter for people. */
public final class LintText {

  private static final int LABEL_COLUMNS = 7;

  private LintText() {}

  /** Prints the warnings, and what a simulated outage leads to, if that is known. */
  public static void print(
      TerminalWriter writer, LintReport report, @Nullable StabilityVerdict outage) {
    warnings(writer, report.warnings());
    if (report.canonical() != null) {
      writer.blank();
      writer.paragraph("The policy in the canonical form:");
      writer.line(StyledText.of(report.canonical().toString()));
    }
    if (outage != null) {
      writer.blank();
      writer.paragraph(
          outage(outage), outage == StabilityVerdict.STABLE ? AnsiStyle.PLAIN : AnsiStyle.WARNING);
    }
  }

  private static void warnings(TerminalWriter writer, List<Linter.Warning> warnings) {
    if (warnings.isEmpty()) {
      writer.paragraph("No warnings.", AnsiStyle.GOOD);
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

  private static String outage(StabilityVerdict verdict) {
    return "In the outage that simulate assumes, "
        + switch (verdict) {
          case STABLE -> "the service recovers: stable.";
          case VULNERABLE ->
              "the service recovers, but not from one four times as long: vulnerable. Give the"
                  + " clients a retry budget.";
          case METASTABLE ->
              "retries like these keep the service down: metastable. Give the clients a retry"
                  + " budget.";
        };
  }
}
