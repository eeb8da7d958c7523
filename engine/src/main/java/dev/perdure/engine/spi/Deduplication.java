// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.SubmissionReceipt.SubmissionStatus;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What is left of a submission without the tasks whose dedupe key a live task has. Dependencies on
 * those are dependencies on the live tasks. Of two tasks of the submission with the same key, the
 * one that comes later is a duplicate of the other; parents come first, so no cycle can arise.
 * Immutable.
 */
public final class Deduplication {

  private static final String DUPLICATE_MARK = "=";

  /**
   * A live task that has a dedupe key.
   *
   * @param mayRunAgain true if its batch has a retry policy
   */
  public record KeyHolder(UUID id, UUID batch, TaskState state, boolean mayRunAgain) {}

  private final Submission submission;
  private final Map<UUID, UUID> existing = new HashMap<>();
  private final Map<UUID, NewTaskRow> replacements = new LinkedHashMap<>();
  private final Map<UUID, NewTaskRow> kept = new LinkedHashMap<>();
  private final @Nullable UUID batchOfFirst;

  /**
   * @param holders the live tasks that have keys of the submission, by key
   */
  public Deduplication(Submission submission, Map<String, KeyHolder> holders) {
    this.submission = submission;
    if (!submission.hasDedupeKeys()) {
      batchOfFirst = null;
      return;
    }
    Map<String, UUID> own = new HashMap<>();
    for (NewTaskRow row : submission.tasks()) {
      String key = row.definition().dedupeKey();
      KeyHolder holder = key == null ? null : holders.get(key);
      UUID first = key == null ? null : own.putIfAbsent(key, row.id());
      if (holder != null) {
        existing.put(row.id(), holder.id());
        if (row.replacesDuplicate()) {
          replacements.put(holder.id(), row);
        }
      } else if (first != null) {
        existing.put(row.id(), first);
        if (row.replacesDuplicate()) {
          kept.computeIfPresent(first, (id, earlier) -> replaced(earlier, row));
        }
      } else {
        kept.put(row.id(), row);
      }
    }
    String firstKey = submission.tasks().getFirst().definition().dedupeKey();
    KeyHolder firstHolder = firstKey == null ? null : holders.get(firstKey);
    batchOfFirst = firstHolder == null ? null : firstHolder.batch();
  }

  /** The distinct dedupe keys of the submission, in ascending order. */
  public static List<String> keys(Submission submission) {
    return submission.tasks().stream()
        .map(row -> row.definition().dedupeKey())
        .filter(Objects::nonNull)
        .distinct()
        .sorted()
        .toList();
  }

  private static NewTaskRow replaced(NewTaskRow row, NewTaskRow by) {
    return new NewTaskRow(
        row.id(),
        replaced(row.definition(), by.definition()),
        by.due(),
        row.importedHistory(),
        row.expectedCount(),
        row.cancelAtDeadEnd(),
        row.replacesDuplicate());
  }

  /** The definition with the payload and the policy of another one. */
  public static TaskDefinition replaced(TaskDefinition task, TaskDefinition by) {
    return new TaskDefinition(
        task.kind(),
        task.name(),
        by.payload(),
        task.metadata(),
        by.policy(),
        by.policyAsGiven(),
        by.strategy(),
        task.timeout(),
        task.deadline(),
        task.priority(),
        task.idempotencyKey(),
        task.localId(),
        task.queue(),
        task.actions(),
        task.trace(),
        task.rules(),
        task.dedupeKey());
  }

  /** The tasks to store, with what they depend on; null when there are none. */
  public @Nullable Submission remaining() {
    if (existing.isEmpty()) {
      return submission;
    }
    return kept.isEmpty()
        ? null
        : new Submission(
            submission.batch(),
            submission.definition(),
            List.copyOf(kept.values()),
            bound(
                submission.dependencies().stream()
                    .filter(dependency -> kept.containsKey(dependency.child()))
                    .toList(),
                parent -> existing.getOrDefault(parent, parent)),
            submission.key());
  }

  /**
   * Replaces the parents of dependencies. If a task then depends on one parent twice, it requires
   * the success of the parent if one of the two did.
   */
  public static List<Dependency> bound(
      Collection<Dependency> dependencies, UnaryOperator<UUID> parents) {
    record Key(UUID parent, UUID child) {}
    Map<Key, Boolean> bound = new LinkedHashMap<>();
    for (Dependency dependency : dependencies) {
      bound.merge(
          new Key(parents.apply(dependency.parent()), dependency.child()),
          dependency.requiresSuccess(),
          Boolean::logicalOr);
    }
    return bound.entrySet().stream()
        .map(
            entry ->
                new Dependency(entry.getKey().parent(), entry.getKey().child(), entry.getValue()))
        .toList();
  }

  /** What live tasks take over if they have not been claimed, by the id of the live task. */
  public Map<UUID, NewTaskRow> replacements() {
    return Map.copyOf(replacements);
  }

  /** The answer to the submission. */
  public SubmissionReceipt receipt() {
    if (existing.isEmpty()) {
      return submission.stored();
    }
    List<NewTaskRow> rows = submission.tasks();
    Set<Integer> duplicates =
        IntStream.range(0, rows.size())
            .filter(i -> existing.containsKey(rows.get(i).id()))
            .boxed()
            .collect(Collectors.toSet());
    return new SubmissionReceipt(
        kept.isEmpty() && batchOfFirst != null ? batchOfFirst : submission.batch(),
        rows.stream().map(row -> existing.getOrDefault(row.id(), row.id())).toList(),
        SubmissionStatus.STORED,
        duplicates);
  }

  /** The tasks of the receipt as stores keep them; null when no task is a duplicate. */
  public @Nullable String text() {
    if (existing.isEmpty()) {
      return null;
    }
    return submission.tasks().stream()
        .map(
            row ->
                existing.containsKey(row.id())
                    ? DUPLICATE_MARK + existing.get(row.id())
                    : row.id().toString())
        .collect(Collectors.joining("\n"));
  }

  /** The receipt from the {@link #text() text} that a store keeps. */
  static SubmissionReceipt receipt(UUID batch, String text, SubmissionStatus status) {
    List<UUID> ids = new ArrayList<>();
    Set<Integer> duplicates = new HashSet<>();
    for (String line : text.split("\n", -1)) {
      boolean duplicate = line.startsWith(DUPLICATE_MARK);
      if (duplicate) {
        duplicates.add(ids.size());
      }
      ids.add(UUID.fromString(duplicate ? line.substring(DUPLICATE_MARK.length()) : line));
    }
    return new SubmissionReceipt(batch, ids, status, duplicates);
  }
}
