// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as it is stored.
 *
 * @param name unique
 * @param enabled false while it is paused
 * @param template what it submits, in the form that the engine stores
 * @param asGiven what it submits, in the form of the caller, to show; null when there is none
 * @param version changes with every edit
 * @param anchor when it was created, enabled or edited; it fires only after that
 * @param nextAt the next firing; null while it is paused
 * @param queued how many firings wait until it is no longer busy
 * @param firings how many firings it has had, of whatever outcome
 * @param problem why it could not fire when it was last due; null when it could
 */
public record Schedule(
    UUID id,
    String name,
    Trigger trigger,
    Overlap overlap,
    Misfire misfire,
    boolean enabled,
    String template,
    @Nullable String asGiven,
    long version,
    Instant anchor,
    @Nullable Instant nextAt,
    int queued,
    long firings,
    Instant createdAt,
    Instant updatedAt,
    @Nullable String problem) {

  /** When it fires. */
  public FiringTimes times() {
    return trigger.firingTimes(anchor);
  }

  /** The same schedule after a decision: it has no problem. */
  public Schedule withDecision(@Nullable Instant next, int queuedFirings, long allFirings) {
    return new Schedule(
        id,
        name,
        trigger,
        overlap,
        misfire,
        enabled,
        template,
        asGiven,
        version,
        anchor,
        next,
        queuedFirings,
        allFirings,
        createdAt,
        updatedAt,
        null);
  }

  /** The same schedule that could not fire. */
  public Schedule withProblem(String value) {
    return new Schedule(
        id, name, trigger, overlap, misfire, enabled, template, asGiven, version, anchor, nextAt,
        queued, firings, createdAt, updatedAt, value);
  }
}
