// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.query.LimitReader;
import dev.perdure.engine.spi.KindLimits;
import dev.perdure.engine.spi.LimitKeys;
import dev.perdure.engine.spi.LimitRules;
import dev.perdure.engine.spi.LimitStore.RulesChange;
import dev.perdure.engine.spi.LimitStore.RulesChanged;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.KindLimit;
import dev.perdure.engine.task.KindLimit.Source;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.LimitType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Limits: what they allow, what is in use, what waits, and how to change those of tasks and kinds.
 */
public final class EngineLimits implements LimitReader {

  private final TaskStore store;
  private final Runnable wake;

  EngineLimits(TaskStore store, Runnable wake) {
    this.store = store;
    this.wake = wake;
  }

  /** Reads the limits of a store that has no engine yet. */
  public static LimitReader reader(TaskStore store) {
    return new EngineLimits(store, () -> {});
  }

  @Override
  public List<LimitUsage> list(String after, int limit) {
    KindLimits kinds = new KindLimits(ofKinds());
    List<LimitUsage> all = new ArrayList<>();
    String last = after;
    List<LimitUsage> page;
    do {
      page = store.limits().list(last, limit);
      page.stream().filter(one -> !kinds.isRemoved(one.key())).forEach(all::add);
      last = page.isEmpty() ? last : page.getLast().key();
    } while (all.size() < limit && page.size() >= limit);
    all.addAll(unused(kinds, after, page.size() < limit ? null : last, all));
    return LimitReader.page(all, limit);
  }

  /** The limits of kinds that no task has used yet. */
  private static List<LimitUsage> unused(
      KindLimits kinds, String after, @Nullable String last, List<LimitUsage> found) {
    return kinds.withoutFields().stream()
        .filter(one -> KEY_ORDER.compare(one.key(), after) > 0)
        .filter(one -> last == null || KEY_ORDER.compare(one.key(), last) <= 0)
        .filter(one -> found.stream().noneMatch(used -> used.key().equals(one.key())))
        .map(one -> new LimitUsage(one.key(), one.rule(), 0, 0, null))
        .toList();
  }

  @Override
  public List<KindLimit> ofKinds() {
    return store.limits().ofKinds();
  }

  /**
   * Limits all tasks of a kind on all nodes, whatever the tasks themselves say. Tasks that run
   * already count, also if they are more than the limits allow. What {@code perdure.yaml} or the
   * options of a handler say no longer counts, until {@link #remove}.
   *
   * @param limits a limit on concurrency, a rate, or both
   */
  public void set(String kind, Limit... limits) {
    if (limits.length == 0) {
      throw new IllegalArgumentException("limits: must have a limit; use remove for none");
    }
    set(kind, List.of(limits), Source.OPERATOR);
  }

  /** Removes all limits of a kind, however they were set; returns false if it had none. */
  public boolean remove(String kind) {
    boolean found = find(kind).isPresent();
    set(kind, List.of(), Source.OPERATOR);
    return found;
  }

  /** The limits of this kind. */
  public Optional<KindLimit> find(String kind) {
    return ofKinds().stream().filter(one -> one.kind().equals(kind)).findFirst();
  }

  /**
   * Sets the limits of kinds as the configuration or the code says, except where an operator has
   * set others. Writes only what differs.
   *
   * @param limits empty for a kind that has none
   */
  public void declare(Source source, Map<String, List<Limit>> limits) {
    Map<String, KindLimit> stored = new HashMap<>();
    ofKinds().forEach(one -> stored.put(one.kind(), one));
    limits.forEach(
        (kind, declared) -> {
          KindLimit before = stored.get(kind);
          boolean replaces =
              before == null
                  ? !declared.isEmpty()
                  : before.source() != Source.OPERATOR
                      && (before.source() == source || !declared.isEmpty());
          if (replaces && !isSame(before, declared)) {
            set(kind, declared, source);
          }
        });
  }

  private static boolean isSame(@Nullable KindLimit before, List<Limit> declared) {
    return before != null
        && Objects.equals(
            LimitRules.write(before.limits(), before.kind()),
            LimitRules.write(declared, before.kind()));
  }

  private void set(String kind, List<Limit> limits, Source source) {
    NewTask.of(kind, null); // Checks the kind.
    LimitKeys.requireKind(kind);
    KindLimit.require(limits);
    if (!limits.isEmpty() && find(kind).isEmpty() && ofKinds().size() >= KindLimits.MAX_KINDS) {
      throw new IllegalArgumentException(
          "kind: %d kinds have limits, which is the maximum; remove one first"
              .formatted(KindLimits.MAX_KINDS));
    }
    store.limits().setKind(kind, limits, source);
    wake.run();
  }

  @Override
  public Optional<LimitWait> waitOf(UUID task) {
    return store.limits().waitOf(task);
  }

  /**
   * Gives the live tasks of one kind in a batch other limits, a thousand at a time. A running task
   * counts in its new limits at once, even if they are reached, and no longer in the old ones.
   * Repeating it is harmless.
   *
   * @param asGiven the JSON that the limits were read from, to show; null when there is none
   * @return the number of live tasks of that kind
   * @throws NoSuchElementException when there is no such batch
   * @throws IllegalArgumentException when there is a limit on capacity, and one of the tasks has no
   *     expected count; nothing has changed then
   */
  public int change(UUID batch, String kind, List<Limit> limits, @Nullable JsonNode asGiven) {
    if (store.batches().currentRun(batch).isEmpty()) {
      throw new NoSuchElementException("there is no batch " + batch);
    }
    requireCounts(batch, kind, limits);
    String rules =
        asGiven == null || limits.isEmpty() ? LimitRules.write(limits, kind) : asGiven.toString();
    int changed = 0;
    UUID after = null;
    do {
      RulesChanged part = store.limits().changeRules(new RulesChange(batch, kind, after, rules));
      changed += part.tasks();
      after = part.last();
    } while (after != null);
    wake.run();
    return changed;
  }

  /** Without an expected count a task would not count, and a limit on capacity never stop it. */
  private void requireCounts(UUID batch, String kind, List<Limit> limits) {
    if (limits.stream().noneMatch(limit -> limit.rule().type() == LimitType.CAPACITY)) {
      return;
    }
    store
        .limits()
        .findUncounted(batch, kind)
        .ifPresent(
            task -> {
              throw new IllegalArgumentException(
                  "limits: a limit on capacity counts items, but task %s has no expected count: set it first"
                      .formatted(task));
            });
  }
}
