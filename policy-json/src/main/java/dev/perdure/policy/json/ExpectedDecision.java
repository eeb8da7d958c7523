// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Decision;
import dev.perdure.policy.DecisionPreview;
import dev.perdure.policy.GiveUpReason;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a decision should be: a retry within bounds, or a reason to give up. */
sealed interface ExpectedDecision {

  /** True when this is how the decision looks. */
  boolean matches(DecisionPreview decisionPreview);

  /** A retry, with both bounds in milliseconds. */
  record Retry(long earliest, long latest) implements ExpectedDecision {

    private static final long ROUNDING = 1;

    @Override
    public boolean matches(DecisionPreview decisionPreview) {
      return decisionPreview instanceof DecisionPreview.DelayBounds delayBounds
          && isNear(delayBounds.earliest(), earliest)
          && isNear(delayBounds.latest(), latest);
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
    public boolean matches(DecisionPreview decisionPreview) {
      return decisionPreview instanceof Decision.GiveUp found
          && found.reason().text().equals(reason);
    }

    @Override
    public String toString() {
      return "give up: " + reason;
    }
  }

  /** An outlook in the words of an expectation, so that the two can be compared by eye. */
  static ExpectedDecision of(DecisionPreview decisionPreview) {
    return switch (decisionPreview) {
      case DecisionPreview.DelayBounds delayBounds ->
          new Retry(delayBounds.earliest().toMillis(), delayBounds.latest().toMillis());
      case Decision.GiveUp giveUp -> new GiveUp(giveUp.reason().text());
    };
  }

  /** The expectation of this object; null when it is none. */
  static @Nullable ExpectedDecision read(JsonValueReader jsonValueReader) {
    JsonObjectReader jsonObjectReader = jsonValueReader.object();
    JsonValueReader named = jsonObjectReader == null ? null : jsonObjectReader.required("retry");
    Boolean retry = named == null ? null : named.bool();
    if (jsonObjectReader == null || retry == null) {
      return null;
    }
    ExpectedDecision expectedDecision = retry ? retry(jsonObjectReader) : giveUp(jsonObjectReader);
    jsonObjectReader.rejectUnknown();
    return expectedDecision;
  }

  private static @Nullable ExpectedDecision retry(JsonObjectReader jsonObjectReader) {
    Duration earliest = FailureJson.millis(jsonObjectReader.required("delay_min_ms"));
    Duration latest = FailureJson.millis(jsonObjectReader.required("delay_max_ms"));
    return earliest == null || latest == null
        ? null
        : new Retry(earliest.toMillis(), latest.toMillis());
  }

  private static @Nullable ExpectedDecision giveUp(JsonObjectReader jsonObjectReader) {
    JsonValueReader named = jsonObjectReader.required("reason");
    String reason = named == null ? null : named.oneOf("reason", GiveUp.REASONS);
    return reason == null ? null : new GiveUp(reason);
  }
}
