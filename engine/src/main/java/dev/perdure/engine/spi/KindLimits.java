// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.task.KindLimit;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.LimitRule;
import dev.perdure.engine.task.LimitType;
import dev.perdure.engine.task.TaskLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The limits of kinds in one shard. A task gets their keys when it is claimed: before that, a claim
 * may find it without them, or with keys from before a change. How much they allow is always read
 * from here, never from a task.
 */
public final class KindLimits {

  public static final KindLimits NONE = new KindLimits(List.of());

  /** Maximum number of kinds that have limits. Every claim reads them. */
  public static final int MAX_KINDS = 200;

  /** What a removed limit allows until the tasks that still have its key have ended. */
  private static final Map<LimitType, LimitRule> REMOVED =
      Map.of(
          LimitType.CONCURRENCY, LimitRule.concurrency(LimitRule.MAX),
          LimitType.RATE, LimitRule.rate(LimitRule.MAX, Duration.ofMillis(1), 1),
          LimitType.CAPACITY, LimitRule.capacity(LimitRule.MAX));

  private final Map<String, List<Limit>> byKind = new HashMap<>();

  public KindLimits(Collection<KindLimit> limits) {
    limits.forEach(limit -> byKind.put(limit.kind(), limit.limits()));
  }

  public boolean isEmpty() {
    return byKind.isEmpty();
  }

  public Set<String> kinds() {
    return Set.copyOf(byKind.keySet());
  }

  /** Returns whether the limits of this kind depend on the metadata of a task. */
  boolean needsMetadata(String kind) {
    return of(kind).stream().anyMatch(limit -> !limit.fields().isEmpty());
  }

  /** The limits that do not depend on the metadata of a task. */
  public List<TaskLimit> withoutFields() {
    return byKind.keySet().stream()
        .filter(kind -> !needsMetadata(kind))
        .flatMap(kind -> of(kind, null).stream())
        .toList();
  }

  private List<Limit> of(String kind) {
    return byKind.getOrDefault(kind, List.of());
  }

  private List<TaskLimit> of(String kind, @Nullable String metadata) {
    return of(kind).stream()
        .map(
            limit ->
                new TaskLimit(
                    LimitKeys.ofKind(limit.rule().type(), kind, limit.fields(), metadata),
                    limit.rule()))
        .toList();
  }

  /** Returns whether a task with these keys must get other ones before it can start. */
  public boolean isOutdated(List<String> keys, String kind, @Nullable String metadata) {
    List<String> ofKind = keys.stream().filter(LimitKeys::isOfKind).toList();
    return !ofKind.equals(of(kind, metadata).stream().map(TaskLimit::key).toList());
  }

  /**
   * The limits of a task: those of its own rules, and those of its kind.
   *
   * @param keys the keys that it has now, as stores keep them
   */
  public List<TaskLimit> ofTask(
      @Nullable String keys, @Nullable String rules, String kind, @Nullable String metadata) {
    List<TaskLimit> all = new ArrayList<>(LimitRules.describeOwn(keys, rules, kind, metadata));
    all.addAll(of(kind, metadata));
    return List.copyOf(all);
  }

  /** The limits of a task with new rules, and those of its kind. */
  public List<TaskLimit> ofRules(@Nullable String rules, String kind, @Nullable String metadata) {
    List<TaskLimit> all = new ArrayList<>(LimitRules.of(rules, kind, metadata));
    all.addAll(of(kind, metadata));
    return List.copyOf(all);
  }

  /** How much a limit allows whose key says that it is one of a kind; empty for other keys. */
  public Optional<LimitRule> rule(String key) {
    if (!LimitKeys.isOfKind(key)) {
      return Optional.empty();
    }
    LimitType type = LimitKeys.type(key);
    return of(LimitKeys.kind(key)).stream()
        .map(Limit::rule)
        .filter(rule -> rule.type() == type)
        .findFirst()
        .or(() -> Optional.of(removed(type)));
  }

  /** Returns whether the limit with this key was set for its kind, and was removed. */
  public boolean isRemoved(String key) {
    LimitType type = LimitKeys.type(key);
    return LimitKeys.isOfKind(key)
        && of(LimitKeys.kind(key)).stream().noneMatch(limit -> limit.rule().type() == type);
  }

  static LimitRule removed(LimitType type) {
    return Objects.requireNonNull(REMOVED.get(type));
  }
}
