// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Decision;
import dev.perdure.policy.DecisionPreview;
import dev.perdure.policy.GiveUpReason;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An expected decision: a retry within bounds, or a reason to give up. */
sealed interface ExpectedDecision {

  /** Returns true if the decision is as expected. */
  boolean matches(DecisionPreview preview);

  /** A retry, with both bounds in milliseconds. */
  record Retry(long earliest, long latest) implements ExpectedDecision {

    private static final long ROUNDING = 1;

    @Override
    public boolean matches(DecisionPreview preview) {
      return preview instanceof DecisionPreview.DelayBounds bounds
          && isNear(bounds.earliest(), earliest)
          && isNear(bounds.latest(), latest);
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
  record GiveUp(String reason) implements ExpectedDecision {

    private static final List<String> REASONS =
        Stream.of(GiveUpReason.values()).map(GiveUpReason::text).toList();

    @Override
    public boolean matches(DecisionPreview preview) {
      return preview instanceof Decision.GiveUp found && found.reason().text().equals(reason);
    }

    @Override
    public String toString() {
      return "give up: " + reason;
    }
  }

  /** Converts a preview to an expected decision, so that messages show both in the same form. */
  static ExpectedDecision of(DecisionPreview preview) {
    return switch (preview) {
      case DecisionPreview.DelayBounds bounds ->
          new Retry(bounds.earliest().toMillis(), bounds.latest().toMillis());
      case Decision.GiveUp giveUp -> new GiveUp(giveUp.reason().text());
    };
  }

  /** Reads an expected decision; returns null if it is invalid. */
  static @Nullable ExpectedDecision read(JsonValueReader value) {
    JsonObjectReader object = value.object();
    JsonValueReader named = object == null ? null : object.required("retry");
    Boolean retry = named == null ? null : named.bool();
    if (object == null || retry == null) {
      return null;
    }
    ExpectedDecision expected = retry ? retry(object) : giveUp(object);
    object.rejectUnknown();
    return expected;
  }

  private static @Nullable ExpectedDecision retry(JsonObjectReader object) {
    Duration earliest = FailureJson.millis(object.required("delay_min_ms"));
    Duration latest = FailureJson.millis(object.required("delay_max_ms"));
    return earliest == null || latest == null
        ? null
        : new Retry(earliest.toMillis(), latest.toMillis());
  }

  private static @Nullable ExpectedDecision giveUp(JsonObjectReader object) {
    JsonValueReader named = object.required("reason");
    String reason = named == null ? null : named.oneOf("reason", GiveUp.REASONS);
    return reason == null ? null : new GiveUp(reason);
  }
}
