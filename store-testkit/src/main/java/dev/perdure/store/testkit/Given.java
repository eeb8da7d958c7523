// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.task.Definition;
import dev.perdure.engine.task.Wiring;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A task's definition in a test: only what matters there is said. */
record Given(
    String kind,
    @Nullable String name,
    @Nullable String policy,
    @Nullable Duration timeout,
    @Nullable Instant deadline,
    int priority,
    @Nullable String lane) {

  /** The delay of {@link #retrying}. */
  static final Duration DELAY = Duration.ofMinutes(1);

  private static final String TWICE =
      """
      {"max_retries": 2, "backoff": {"type": "fixed", "delay": "1m"}, "jitter": "none"}""";

  /** Never retried. */
  static Given plain(String kind) {
    return new Given(kind, null, null, null, null, 0, null);
  }

  /** Retried twice, a minute after each failure. */
  static Given retrying(String kind) {
    return plain(kind).withPolicy(TWICE);
  }

  Given withName(String value) {
    return new Given(kind, value, policy, timeout, deadline, priority, lane);
  }

  Given withPolicy(String value) {
    return new Given(kind, name, value, timeout, deadline, priority, lane);
  }

  Given withTimeout(Duration value) {
    return new Given(kind, name, policy, value, deadline, priority, lane);
  }

  Given withDeadline(Instant value) {
    return new Given(kind, name, policy, timeout, value, priority, lane);
  }

  Given withPriority(int value) {
    return new Given(kind, name, policy, timeout, deadline, value, lane);
  }

  /** Claimed under this name. */
  Given withLane(String value) {
    return new Given(kind, name, policy, timeout, deadline, priority, value);
  }

  Definition definition() {
    String strategy = policy == null ? null : "fixed";
    return new Definition(
        kind,
        name,
        "{}",
        null,
        policy,
        strategy,
        timeout,
        deadline,
        priority,
        null,
        null,
        new Wiring(lane, null, null));
  }
}
