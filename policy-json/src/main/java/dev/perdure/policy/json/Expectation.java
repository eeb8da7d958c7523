// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Decision;
import dev.perdure.policy.GiveUpReason;
import dev.perdure.policy.Outlook;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a decision should be: a retry within bounds, or a reason to give up. */
sealed interface Expectation {

  /** True when this is how the decision looks. */
  boolean isMetBy(Outlook outlook);

  /** A retry, with both bounds in milliseconds. */
  record Retry(long earliest, long latest) implements Expectation {

    private static final long ROUNDING = 1;

    @Override
    public boolean isMetBy(Outlook outlook) {
      return outlook instanceof Outlook.Window window
          && isNear(window.earliest(), earliest)
          && isNear(window.latest(), latest);
    }

    private static boolean isNear(Duration found, long expected) {
      return Math.abs(found.toMillis() - expected) <= ROUNDING;
    }

    @Override
    public String toString() {
      return "retry after %d..%d ms".formatted(earliest, latest);
    }
  }

  /** No retry, for this reason. */
  record GiveUp(String reason) implements Expectation {

    private static final List<String> REASONS =
        Stream.of(GiveUpReason.values()).map(GiveUpReason::text).toList();

    @Override
    public boolean isMetBy(Outlook outlook) {
      return outlook instanceof Decision.GiveUp found && found.reason().text().equals(reason);
    }

    @Override
    public String toString() {
      return "give up: " + reason;
    }
  }

  /** An outlook in the words of an expectation, so that the two can be compared by eye. */
  static Expectation of(Outlook outlook) {
    return switch (outlook) {
      case Outlook.Window window ->
          new Retry(window.earliest().toMillis(), window.latest().toMillis());
      case Decision.GiveUp giveUp -> new GiveUp(giveUp.reason().text());
    };
  }

  /** The expectation of this object; null when it is none. */
  static @Nullable Expectation read(Value value) {
    Fields fields = value.fields();
    Value named = fields == null ? null : fields.required("retry");
    Boolean retry = named == null ? null : named.truth();
    if (fields == null || retry == null) {
      return null;
    }
    Expectation expectation = retry ? retry(fields) : giveUp(fields);
    fields.refuseOthers();
    return expectation;
  }

  private static @Nullable Expectation retry(Fields fields) {
    Duration earliest = FailureJson.millis(fields.required("delay_min_ms"));
    Duration latest = FailureJson.millis(fields.required("delay_max_ms"));
    return earliest == null || latest == null
        ? null
        : new Retry(earliest.toMillis(), latest.toMillis());
  }

  private static @Nullable Expectation giveUp(Fields fields) {
    Value named = fields.required("reason");
    String reason = named == null ? null : named.word("reason", GiveUp.REASONS);
    return reason == null ? null : new GiveUp(reason);
  }
}
