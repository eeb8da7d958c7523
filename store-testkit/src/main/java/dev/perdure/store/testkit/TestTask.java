// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.spi.LimitRules;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.TaskDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A task definition for tests, with defaults for everything that a test does not set. */
record TestTask(
    String kind,
    @Nullable String name,
    @Nullable String policy,
    @Nullable Duration timeout,
    @Nullable Instant deadline,
    int priority,
    @Nullable String queue,
    @Nullable String metadata,
    @Nullable String rules) {

  /** The delay of {@link #retrying}. */
  static final Duration DELAY = Duration.ofMinutes(1);

  private static final String TWO_RETRIES =
      """
      {"max_retries": 2, "backoff": {"type": "fixed", "delay": "1m"}, "jitter": "none"}""";

  /** Creates a task that is never retried. */
  static TestTask withoutRetry(String kind) {
    return new TestTask(kind, null, null, null, null, 0, null, null, null);
  }

  /** Creates a task with two retries, each a minute after the failure. */
  static TestTask retrying(String kind) {
    return withoutRetry(kind).withPolicy(TWO_RETRIES);
  }

  TestTask withName(String value) {
    return new TestTask(kind, value, policy, timeout, deadline, priority, queue, metadata, rules);
  }

  TestTask withPolicy(String value) {
    return new TestTask(kind, name, value, timeout, deadline, priority, queue, metadata, rules);
  }

  TestTask withTimeout(Duration value) {
    return new TestTask(kind, name, policy, value, deadline, priority, queue, metadata, rules);
  }

  TestTask withDeadline(Instant value) {
    return new TestTask(kind, name, policy, timeout, value, priority, queue, metadata, rules);
  }

  TestTask withPriority(int value) {
    return new TestTask(kind, name, policy, timeout, deadline, value, queue, metadata, rules);
  }

  /** Sets the queue that the task is claimed from. */
  TestTask withQueue(String value) {
    return new TestTask(kind, name, policy, timeout, deadline, priority, value, metadata, rules);
  }

  /** Sets a JSON object. */
  TestTask withMetadata(String value) {
    return new TestTask(kind, name, policy, timeout, deadline, priority, queue, value, rules);
  }

  TestTask withLimits(Limit... limits) {
    String value = LimitRules.write(List.of(limits), kind);
    return new TestTask(kind, name, policy, timeout, deadline, priority, queue, metadata, value);
  }

  TaskDefinition definition() {
    String strategy = policy == null ? null : "fixed";
    return new TaskDefinition(
        kind, name, "{}", metadata, policy, null, strategy, timeout, deadline, priority, null, null,
        queue, null, null, rules, null);
  }
}
