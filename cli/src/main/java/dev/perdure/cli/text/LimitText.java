// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.client.BlockedBy;
import dev.perdure.client.LimitInfo;
import dev.perdure.policy.DurationText;
import java.time.Instant;
import java.util.List;

/** Prints limits for people. */
public final class LimitText {

  /** The server counts waiting tasks up to this number. */
  private static final long MAX_COUNTED = 1_000;

  /** For the columns behind the key. */
  private static final int OTHER_COLUMNS = 42;

  /** The column that says which tasks count, if there are limits of kinds. */
  private static final int SCOPE_COLUMN = 11;

  private static final int MIN_KEY_WIDTH = 24;

  private LimitText() {}

  /**
   * A list of limits.
   *
   * @param more whether there are more than these
   */
  public static void list(
      TerminalWriter writer, List<LimitInfo> limits, boolean more, Instant now) {
    if (limits.isEmpty()) {
      writer.paragraph("No limits.");
      return;
    }
    boolean ofKinds = limits.stream().anyMatch(LimitInfo::isOfKind);
    int others = OTHER_COLUMNS + (ofKinds ? SCOPE_COLUMN : 0);
    int room = Math.max(MIN_KEY_WIDTH, writer.textWidth() - others);
    new FittedTable<LimitInfo>()
        .left("key", limit -> FittedTable.truncate(StyledText.of(limit.key()), room))
        .left("counts", limit -> StyledText.of(ofKinds ? counted(limit) : ""))
        .right("used/max", LimitText::used)
        .right("waiting", LimitText::waiting)
        .left("next start", limit -> StyledText.of(nextStart(limit, now)))
        .print(writer, limits);
    if (more) {
      writer.blank();
      writer.paragraph("There are more; --limit shows them.", AnsiStyle.FAINT);
    }
  }

  private static String counted(LimitInfo limit) {
    return limit.isOfKind() ? "all tasks" : "with rule";
  }

  /** What is in use of what is allowed; for a rate, what it allows. */
  private static StyledText used(LimitInfo limit) {
    if (limit.per() != null) {
      return StyledText.of(
          "%s / %s"
              .formatted(NumberFormatting.count(limit.max()), DurationText.format(limit.per())));
    }
    return StyledText.of(
        "%s/%s"
            .formatted(NumberFormatting.count(limit.used()), NumberFormatting.count(limit.max())),
        limit.used() >= limit.max() ? AnsiStyle.WARNING : AnsiStyle.PLAIN);
  }

  private static StyledText waiting(LimitInfo limit) {
    return StyledText.of(
        counted(limit.waiting()), limit.waiting() == 0 ? AnsiStyle.FAINT : AnsiStyle.PLAIN);
  }

  private static String nextStart(LimitInfo limit, Instant now) {
    Instant next = limit.nextStartAt();
    return next == null || !next.isAfter(now) ? "" : RelativeTime.of(next, now);
  }

  /** Why a task waits. */
  static String waitsFor(BlockedBy limit, Instant now) {
    String ahead =
        limit.ahead() == 0
            ? "it is next"
            : counted(limit.ahead()) + (limit.ahead() == 1 ? " task ahead" : " tasks ahead");
    return "%s: %s, %s".formatted(limit.key(), inUse(limit, now), ahead);
  }

  private static String inUse(BlockedBy limit, Instant now) {
    String max = NumberFormatting.count(limit.max());
    String used = NumberFormatting.count(limit.used());
    Instant next = limit.nextStartAt();
    return switch (limit.type()) {
      case "capacity" -> "%s of %s items in use".formatted(used, max);
      case "rate" ->
          next == null || !next.isAfter(now)
              ? "a start is allowed now"
              : "the next start is allowed " + RelativeTime.of(next, now);
      default -> "%s of %s in use".formatted(used, max);
    };
  }

  private static String counted(long count) {
    return NumberFormatting.count(count) + (count >= MAX_COUNTED ? " or more" : "");
  }
}
