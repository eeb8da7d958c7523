// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import dev.perdure.policy.DurationText;
import java.time.Duration;
import java.util.Map;

/** Which waiting retries to list: immutable, each method returns a changed copy. */
public final class RetrySearch {

  private final Map<String, String> parameters;

  private RetrySearch(Map<String, String> parameters) {
    this.parameters = parameters;
  }

  /** All of them, the next one first. */
  public static RetrySearch all() {
    return new RetrySearch(Map.of());
  }

  private RetrySearch with(String name, Object value) {
    return new RetrySearch(SearchParameters.with(parameters, name, value));
  }

  /** Retries that are due within this time. */
  public RetrySearch within(Duration time) {
    return with("within", DurationText.format(time));
  }

  /** Retries of tasks of exactly this kind. */
  public RetrySearch kind(String kind) {
    return with("kind", "=" + kind);
  }

  /** Retries by policies with this backoff, such as {@code ladder}. */
  public RetrySearch strategy(String strategy) {
    return with("strategy", strategy);
  }

  public RetrySearch pageSize(int size) {
    return with("page_size", size);
  }

  /** Continues after an earlier page. */
  public RetrySearch after(String cursor) {
    return with("after", cursor);
  }

  Map<String, String> parameters() {
    return parameters;
  }
}
