// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.cli.chart.CondensedTimeline;
import dev.perdure.policy.Expiry;
import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.explain.PolicyProperties;
import dev.perdure.policy.explain.Timeline;
import java.util.List;

/** Prints a policy and its timeline for people. */
public final class TimelineText {

  private static final int LABEL_COLUMNS = 13;
  private static final int MAX_FAILURES_SHOWN = 10;

  private final TerminalWriter writer;
  private final RetryPolicy policy;
  private final List<Failure> failures;

  /**
   * @param failures the failures that the timeline assumes
   */
  public TimelineText(TerminalWriter writer, RetryPolicy policy, List<Failure> failures) {
    this.writer = writer;
    this.policy = policy;
    this.failures = failures;
  }

  /** The policy in words. */
  public void summary() {
    PolicyProperties.of(policy)
        .forEach(field -> writer.field(field.label(), LABEL_COLUMNS, field.text()));
  }

  /**
   * The timeline, after the failures that it assumes.
   *
   * @param cut true when the timeline is only the start of a longer one
   * @param chosen true when the user chose the failures
   */
  public void timeline(Timeline timeline, boolean cut, boolean chosen) {
    if (!policy.isNone()) {
      writer.blank();
      assumption(chosen);
    }
    writer.blank();
    table(timeline, cut);
    if (!cut && timeline.goesOn()) {
      writer.line(StyledText.of(andSoOn(), AnsiStyle.FAINT));
    }
  }

  private void assumption(boolean chosen) {
    if (failures.size() == 1) {
      writer.paragraph(
          "If every attempt fails with %s%s:"
              .formatted(
                  FailureText.of(failures.getFirst()),
                  chosen ? "" : " (assumed; change it with --failure)"));
      return;
    }
    writer.paragraph("If the attempts fail in turn with");
    for (int i = 0; i < Math.min(failures.size(), MAX_FAILURES_SHOWN); i++) {
      writer.field("  attempt " + i, LABEL_COLUMNS, FailureText.of(failures.get(i)));
    }
    if (failures.size() > MAX_FAILURES_SHOWN) {
      writer.line(
          StyledText.of(
              "  … %d more".formatted(failures.size() - MAX_FAILURES_SHOWN), AnsiStyle.FAINT));
    }
    writer.paragraph("and then again with the last one:");
  }

  private void table(Timeline timeline, boolean cut) {
    List<CondensedTimeline.Row> rows = CondensedTimeline.of(timeline, cut);
    TimelineLines lines = new TimelineLines(CondensedTimeline.retries(rows), writer.width());
    if (lines.count() > 0) {
      writer.line(lines.title());
    }
    int shown = 0;
    for (int i = 0; i < rows.size(); i++) {
      switch (rows.get(i)) {
        case CondensedTimeline.RetryRow row -> {
          writer.line(lines.line(shown++));
          if (shown == lines.count()) {
            lines.axis().forEach(writer::line);
          }
        }
        case CondensedTimeline.EndRow row -> writer.paragraph(ending(row.end()), AnsiStyle.STRONG);
        case CondensedTimeline.GapRow gap ->
            writer.line(StyledText.of(gap(gap, cut && i == rows.size() - 1), AnsiStyle.FAINT));
      }
    }
  }

  private String gap(CondensedTimeline.GapRow gap, boolean last) {
    return last ? andSoOn() : "    … %s more …".formatted(NumberFormatting.count(gap.entries()));
  }

  private String andSoOn() {
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
