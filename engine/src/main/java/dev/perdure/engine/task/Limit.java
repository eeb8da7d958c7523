// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.time.Duration;
import java.util.List;

/**
 * A limit on tasks that run at the same time or start within a period, on all nodes together. It is
 * immutable; each method returns a changed copy.
 *
 * <pre>{@code
 * NewTask.of("sync", job)
 *     .metadata(Map.of("tenant", "acme"))
 *     .limit(Limit.concurrency(2).per("tenant"));
 * }</pre>
 *
 * <p>It counts the tasks of the same kind that have a limit of the same type with the same fields
 * and equal values in them. Tasks that wait, also for a retry, do not count.
 */
public final class Limit {

  /** Maximum number of limits of one task. */
  public static final int MAX_PER_TASK = 10;

  private final LimitRule rule;
  private final List<String> fields;

  private Limit(LimitRule rule, List<String> fields) {
    this.rule = rule;
    this.fields = fields;
  }

  /** At most this many tasks at the same time. */
  public static Limit concurrency(int max) {
    return of(LimitRule.concurrency(max));
  }

  /**
   * At most this many items in all tasks that run at the same time: the expected count of each,
   * less what its attempt has done. A task that is larger than the limit runs alone.
   */
  public static Limit capacity(long maxItems) {
    return of(LimitRule.capacity(maxItems));
  }

  /**
   * At most this many starts in any period of this length. They are spread evenly, unless a {@link
   * #burst} is allowed.
   */
  public static Limit rate(int starts, Duration period) {
    return of(LimitRule.rate(starts, period, 1));
  }

  public static Limit of(LimitRule rule) {
    return new Limit(rule, List.of());
  }

  /** Counts tasks apart that differ in these metadata fields; a missing field is a value too. */
  public Limit per(String... metadataFields) {
    return new Limit(rule, MetadataFields.require(metadataFields));
  }

  /**
   * Lets this many starts of a rate come at once after a quiet time. Within one period there can
   * then be that many starts more, less one.
   */
  public Limit burst(int starts) {
    return new Limit(new LimitRule(rule.type(), rule.max(), rule.per(), starts), fields);
  }

  public LimitRule rule() {
    return rule;
  }

  /** The metadata fields that tell tasks apart. */
  public List<String> fields() {
    return fields;
  }
}
