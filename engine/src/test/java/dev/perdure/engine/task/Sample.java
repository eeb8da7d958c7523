// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A task to decide about. */
final class Sample {

  static final UUID ID = UUID.fromString("0195f1a2-0000-7000-8000-000000000000");
  static final Instant SUBMITTED = Instant.parse("2026-03-01T12:00:00Z");

  private Sample() {}

  static Task task(TaskState state, @Nullable String policy, Counting counting) {
    Definition definition =
        new Definition(
            "a",
            null,
            "{}",
            null,
            policy,
            null,
            Duration.ofSeconds(60),
            null,
            0,
            null,
            null,
            Wiring.NONE);
    return task(state, definition, Custody.of(7, state.isHeld() ? "node" : null), counting);
  }

  static Task task(TaskState state, Definition definition, Custody custody, Counting counting) {
    Instant ended = state.isTerminal() ? SUBMITTED : null;
    return new Task(
        ID,
        ID,
        0,
        definition,
        state,
        0,
        custody,
        counting,
        new Times(SUBMITTED, SUBMITTED, SUBMITTED, null, ended, SUBMITTED),
        Progress.NONE,
        Ending.NONE);
  }
}
