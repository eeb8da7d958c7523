// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.text;

import dev.perdure.policy.explain.Timeline;
import java.util.ArrayList;
import java.util.List;

/** Chooses the columns of a timeline: those that say something and have room. */
final class TimelineColumns {

  private static final int WIDE = 100;

  private final boolean ladder;
  private final boolean drawn;
  private final boolean wide;

  TimelineColumns(List<Timeline.Retry> retries, int width) {
    this.ladder = retries.stream().anyMatch(retry -> retry.rung() != null);
    this.drawn = retries.stream().anyMatch(TimelineColumns::isDrawn);
    this.wide = width >= WIDE;
  }

  private static boolean isDrawn(Timeline.Retry retry) {
    return !retry.delay().earliest().equals(retry.delay().latest());
  }

  /** A line of titles and one for each retry. */
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
    titles.add("in all");
    return titles;
  }

  private List<Piece> cells(Timeline.Retry retry) {
    List<Piece> cells = new ArrayList<>(List.of(Piece.of(Numbers.count(retry.attempt() + 1))));
    if (ladder) {
      cells.add(Piece.of(retry.rung() == null ? "" : step(retry.rung()), Tone.FAINT));
    }
    Timeline.Range delay = retry.delay();
    if (drawn) {
      cells.add(Piece.of(BriefTime.of(delay.earliest())));
      cells.add(Piece.of(BriefTime.of(delay.expected()), Tone.STRONG));
      cells.add(Piece.of(BriefTime.of(delay.latest())));
    } else {
      cells.add(Piece.of(BriefTime.of(delay.expected()), Tone.STRONG));
    }
    cells.add(Piece.of(inAll(retry.total())));
    return cells;
  }

  private String inAll(Timeline.Range total) {
    return wide && !total.earliest().equals(total.latest())
        ? BriefTime.of(total.earliest()) + " … " + BriefTime.of(total.latest())
        : BriefTime.of(total.expected());
  }

  private String step(Timeline.Rung rung) {
    String count = rung.count() == 0 ? "∞" : Integer.toString(rung.count());
    return drawn && !wide
        ? "%d/%d, %d/%s".formatted(rung.step(), rung.steps(), rung.retry(), count)
        : "step %d/%d, retry %d/%s".formatted(rung.step(), rung.steps(), rung.retry(), count);
  }
}
