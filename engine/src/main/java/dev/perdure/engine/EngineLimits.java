// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.query.LimitReader;
import dev.perdure.engine.spi.LimitRules;
import dev.perdure.engine.spi.LimitStore.RulesChange;
import dev.perdure.engine.spi.LimitStore.RulesChanged;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.LimitType;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Limits: what they allow, what is in use, what waits, and how to change those of tasks. */
public final class EngineLimits implements LimitReader {

  private final TaskStore store;
  private final Runnable wake;

  EngineLimits(TaskStore store, Runnable wake) {
    this.store = store;
    this.wake = wake;
  }

  @Override
  public List<LimitUsage> list(String after, int limit) {
    return store.limits().list(after, limit);
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
