// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.cli.chart.CondensedTimeline;
import dev.perdure.policy.Expiry;
import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.explain.Timeline;
import java.util.List;

/** A policy and its timeline, told to a person. */
public final class TimelineText {

  private static final int LABEL_COLUMNS = 13;
  private static final int MAX_FAILURES_SHOWN = 10;

  private final TerminalWriter terminalWriter;
  private final RetryPolicy policy;
  private final List<Failure> failures;

  /**
   * What to tell, and where.
   *
   * @param failures those that the timeline is about
   */
  public TimelineText(TerminalWriter terminalWriter, RetryPolicy policy, List<Failure> failures) {
    this.terminalWriter = terminalWriter;
    this.policy = policy;
    this.failures = failures;
  }

  /** The policy in words. */
  public void summary() {
    PolicyText.of(policy)
        .forEach(field -> terminalWriter.field(field.label(), LABEL_COLUMNS, field.text()));
  }

  /**
   * The timeline, after what it assumes.
   *
   * @param goesOn true when it was cut before its end
   * @param chosen true when somebody named the failures
   */
  public void timeline(Timeline timeline, boolean goesOn, boolean chosen) {
    if (!policy.isNone()) {
      terminalWriter.blank();
      assumption(chosen);
    }
    terminalWriter.blank();
    table(timeline, goesOn);
  }

  private void assumption(boolean chosen) {
    if (failures.size() == 1) {
      terminalWriter.paragraph(
          "When every attempt fails with %s%s:"
              .formatted(
                  FailureText.of(failures.getFirst()),
                  chosen ? "" : " (assumed, --failure names another)"));
      return;
    }
    terminalWriter.paragraph("When the attempts fail one after the other with");
    for (int i = 0; i < Math.min(failures.size(), MAX_FAILURES_SHOWN); i++) {
      terminalWriter.field("  attempt " + i, LABEL_COLUMNS, FailureText.of(failures.get(i)));
    }
    if (failures.size() > MAX_FAILURES_SHOWN) {
      terminalWriter.line(
          StyledText.of(
              "  … %d more".formatted(failures.size() - MAX_FAILURES_SHOWN), AnsiStyle.FAINT));
    }
    terminalWriter.paragraph("and then with the last again:");
  }

  private void table(Timeline timeline, boolean goesOn) {
    List<CondensedTimeline.Row> rows = CondensedTimeline.of(timeline, goesOn);
    TimelineLines lines =
        new TimelineLines(CondensedTimeline.retries(rows), terminalWriter.width());
    if (lines.count() > 0) {
      terminalWriter.line(lines.title());
    }
    int shown = 0;
    for (int i = 0; i < rows.size(); i++) {
      switch (rows.get(i)) {
        case CondensedTimeline.RetryRow row -> {
          terminalWriter.line(lines.line(shown++));
          if (shown == lines.count()) {
            lines.axis().forEach(terminalWriter::line);
          }
        }
        case CondensedTimeline.EndRow row ->
            terminalWriter.paragraph(ending(row.end()), AnsiStyle.STRONG);
        case CondensedTimeline.GapRow gapRow ->
            terminalWriter.line(
                StyledText.of(gap(gapRow, goesOn && i == rows.size() - 1), AnsiStyle.FAINT));
      }
    }
  }

  private String gap(CondensedTimeline.GapRow gapRow, boolean last) {
    if (!last) {
      return "    … %s more …".formatted(NumberFormatting.count(gapRow.entries()));
    }
    return endless() ? "    … and so on, without end" : "    … and so on";
  }

  private boolean endless() {
    return policy.maxRetries().unlimited()
        && policy.expiry() instanceof Expiry.Never
        && policy.overrides().stream().allMatch(override -> override.maxRetries() == null);
  }

  private String ending(Timeline.End end) {
    Failure failure = failures.get((int) Math.min(end.attempt(), failures.size() - 1L));
    String when = end.attempt() == 0 ? "the first attempt" : "retry " + end.attempt();
    return "Gives up after %s: %s (%s)."
        .formatted(when, EndReasonText.describe(policy, failure, end), end.reason().text());
  }
}
