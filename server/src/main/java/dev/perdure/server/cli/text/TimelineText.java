// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.text;

import dev.perdure.policy.Expiry;
import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.explain.Timeline;
import dev.perdure.server.cli.chart.Fold;
import java.util.List;

/** A policy and its timeline, told to a person. */
public final class TimelineText {

  private static final int LABEL_COLUMNS = 13;
  private static final int MOST_FAILURES = 10;

  private final Page page;
  private final RetryPolicy policy;
  private final List<Failure> failures;

  /**
   * What to tell, and where.
   *
   * @param failures those that the timeline is about
   */
  public TimelineText(Page page, RetryPolicy policy, List<Failure> failures) {
    this.page = page;
    this.policy = policy;
    this.failures = failures;
  }

  /** The policy in words. */
  public void summary() {
    PolicyWords.of(policy).forEach(field -> page.field(field.label(), LABEL_COLUMNS, field.text()));
  }

  /**
   * The timeline, after what it assumes.
   *
   * @param goesOn true when it was cut before its end
   * @param chosen true when somebody named the failures
   */
  public void timeline(Timeline timeline, boolean goesOn, boolean chosen) {
    if (!policy.isNone()) {
      page.blank();
      assumption(chosen);
    }
    page.blank();
    table(timeline, goesOn);
  }

  private void assumption(boolean chosen) {
    if (failures.size() == 1) {
      page.paragraph(
          "When every attempt fails with %s%s:"
              .formatted(
                  FailureWords.of(failures.getFirst()),
                  chosen ? "" : " (assumed, --failure names another)"));
      return;
    }
    page.paragraph("When the attempts fail one after the other with");
    for (int i = 0; i < Math.min(failures.size(), MOST_FAILURES); i++) {
      page.field("  attempt " + i, LABEL_COLUMNS, FailureWords.of(failures.get(i)));
    }
    if (failures.size() > MOST_FAILURES) {
      page.line(Piece.of("  … %d more".formatted(failures.size() - MOST_FAILURES), Tone.FAINT));
    }
    page.paragraph("and then with the last again:");
  }

  private void table(Timeline timeline, boolean goesOn) {
    List<Fold.Row> rows = Fold.of(timeline, goesOn);
    TimelineLines lines = new TimelineLines(Fold.retries(rows), page.width());
    if (lines.count() > 0) {
      page.line(lines.title());
    }
    int shown = 0;
    for (int i = 0; i < rows.size(); i++) {
      switch (rows.get(i)) {
        case Fold.Retrying row -> {
          page.line(lines.line(shown++));
          if (shown == lines.count()) {
            lines.axis().forEach(page::line);
          }
        }
        case Fold.Ending row -> page.paragraph(ending(row.end()), Tone.STRONG);
        case Fold.Gap gap ->
            page.line(Piece.of(gap(gap, goesOn && i == rows.size() - 1), Tone.FAINT));
      }
    }
  }

  private String gap(Fold.Gap gap, boolean last) {
    if (!last) {
      return "    … %s more …".formatted(Numbers.count(gap.entries()));
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
        .formatted(when, Endings.why(policy, failure, end), end.reason().text());
  }
}
