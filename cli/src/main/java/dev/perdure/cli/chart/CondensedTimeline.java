// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.chart;

import dev.perdure.policy.explain.Timeline;
import dev.perdure.policy.explain.Timeline.Entry;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A timeline that is short enough to show: it keeps some of many equal entries, and of a long list
 * only the first and the last ones.
 */
public final class CondensedTimeline {

  private static final int MAX_RUN = 4;
  private static final int MAX_SHOWN = 22;
  private static final int SHOWN_FIRST = 14;
  private static final int SHOWN_LAST = 5;

  private CondensedTimeline() {}

  /** A row to show. */
  public sealed interface Row {}

  /** A retry. */
  public record RetryRow(Timeline.Retry retry) implements Row {}

  /** The end. */
  public record EndRow(Timeline.End end) implements Row {}

  /** Entries that are left out. */
  public record GapRow(int entries) implements Row {}

  /**
   * The rows to show.
   *
   * @param goesOn true when the timeline was cut before its end, so that its last entry is not the
   *     end
   */
  public static List<Row> of(Timeline timeline, boolean goesOn) {
    List<Entry> entries = timeline.entries();
    BitSet shown = new BitSet();
    for (int start = 0; start < entries.size(); ) {
      int end = endOfRun(entries, start);
      show(shown, entries.get(start), start, end, goesOn && end == entries.size());
      start = end;
    }
    limitRows(shown);
    return rows(entries, shown);
  }

  private static int endOfRun(List<Entry> entries, int start) {
    int end = start + 1;
    while (end < entries.size() && alike(entries.get(start), entries.get(end))) {
      end++;
    }
    return end;
  }

  private static boolean alike(Entry one, Entry other) {
    return switch (one) {
      case Timeline.End end -> other instanceof Timeline.End next && next.reason() == end.reason();
      case Timeline.Retry retry ->
          other instanceof Timeline.Retry next
              && next.delay().equals(retry.delay())
              && step(next) == step(retry);
    };
  }

  private static int step(Timeline.Retry retry) {
    return retry.ladderPosition() == null ? 0 : retry.ladderPosition().step();
  }

  private static void show(BitSet shown, Entry first, int start, int end, boolean goesOn) {
    if (first instanceof Timeline.End) {
      shown.set(start);
    } else if (end - start <= MAX_RUN && !goesOn) {
      shown.set(start, end);
    } else {
      shown.set(start, Math.min(start + 2, end));
      shown.set(end - 1, !goesOn);
    }
  }

  private static void limitRows(BitSet shown) {
    int surplus = shown.cardinality() - SHOWN_FIRST - SHOWN_LAST;
    if (shown.cardinality() <= MAX_SHOWN) {
      return;
    }
    int index = -1;
    for (int i = 0; i <= SHOWN_FIRST; i++) {
      index = shown.nextSetBit(index + 1);
    }
    for (int i = 0; i < surplus; i++) {
      shown.clear(index);
      index = shown.nextSetBit(index + 1);
    }
  }

  private static List<Row> rows(List<Entry> entries, BitSet shown) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < entries.size(); ) {
      if (shown.get(i)) {
        rows.add(row(entries.get(i)));
        i++;
      } else {
        int next = shown.nextSetBit(i);
        int end = next < 0 ? entries.size() : next;
        rows.add(new GapRow(end - i));
        i = end;
      }
    }
    return rows;
  }

  private static Row row(Entry entry) {
    return switch (entry) {
      case Timeline.Retry retry -> new RetryRow(retry);
      case Timeline.End end -> new EndRow(end);
    };
  }

  /** The retries among these rows. */
  public static List<Timeline.Retry> retries(List<Row> rows) {
    List<Timeline.Retry> retries = new ArrayList<>();
    for (Row row : rows) {
      if (row instanceof RetryRow retryRow) {
        retries.add(retryRow.retry());
      }
    }
    return retries;
  }
}
