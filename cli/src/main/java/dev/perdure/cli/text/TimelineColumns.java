// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.policy.LadderPosition;
import dev.perdure.policy.explain.Timeline;
import java.util.ArrayList;
import java.util.List;

/** Chooses the columns of a timeline: those that carry information and fit. */
final class TimelineColumns {

  private static final int WIDE = 100;

  private final boolean ladder;
  private final boolean drawn;
  private final boolean wide;

  TimelineColumns(List<Timeline.Retry> retries, int width) {
    this.ladder = retries.stream().anyMatch(retry -> retry.ladderPosition() != null);
    this.drawn = retries.stream().anyMatch(TimelineColumns::isDrawn);
    this.wide = width >= WIDE;
  }

  private static boolean isDrawn(Timeline.Retry retry) {
    return !retry.delay().earliest().equals(retry.delay().latest());
  }

  /** A header and one row per retry. */
  Table table(List<Timeline.Retry> retries) {
    List<String> titles = titles();
    Table table =
        new Table(
            titles.stream()
                .map(title -> title.equals("step") ? Table.Side.LEFT : Table.Side.RIGHT)
                .toList());
    table.header(titles);
    retries.forEach(retry -> table.row(cells(retry)));
    return table;
  }

  private List<String> titles() {
    List<String> titles = new ArrayList<>(List.of("retry"));
    if (ladder) {
      titles.add("step");
    }
    titles.addAll(drawn ? List.of("earliest", "expected", "latest") : List.of("delay"));
    titles.add("total");
    return titles;
  }

  private List<StyledText> cells(Timeline.Retry retry) {
    List<StyledText> cells =
        new ArrayList<>(List.of(StyledText.of(NumberFormatting.count(retry.attempt() + 1))));
    if (ladder) {
      cells.add(
          StyledText.of(
              retry.ladderPosition() == null ? "" : step(retry.ladderPosition()), AnsiStyle.FAINT));
    }
    Timeline.Range delay = retry.delay();
    if (drawn) {
      cells.add(StyledText.of(ShortDuration.of(delay.earliest())));
      cells.add(StyledText.of(ShortDuration.of(delay.expected()), AnsiStyle.STRONG));
      cells.add(StyledText.of(ShortDuration.of(delay.latest())));
    } else {
      cells.add(StyledText.of(ShortDuration.of(delay.expected()), AnsiStyle.STRONG));
    }
    cells.add(StyledText.of(total(retry.total())));
    return cells;
  }

  private String total(Timeline.Range total) {
    return wide && !total.earliest().equals(total.latest())
        ? ShortDuration.of(total.earliest()) + " … " + ShortDuration.of(total.latest())
        : ShortDuration.of(total.expected());
  }

  private String step(LadderPosition position) {
    String format = drawn && !wide ? "%d/%d, %s" : "step %d/%d, retry %s";
    return format.formatted(position.step(), position.steps(), position.retryText());
  }
}
