// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.spi.Deduplication;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.Task;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks dedupe keys. It looks for the live task that has a key itself, so that a mistake in the
 * index of the store cannot hide another one.
 */
final class DedupeChecker {

  private final World world;
  private final Map<UUID, SubmissionReceipt> receipts = new HashMap<>();

  DedupeChecker(World world) {
    this.world = world;
  }

  /** Returns whether an earlier try stored the submission. Then the answer must be the same. */
  boolean isRepeated(Submission submission, SubmissionReceipt receipt) {
    SubmissionReceipt first = receipts.get(submission.batch());
    if (first == null) {
      return false;
    }
    require(
        first.equals(receipt),
        Invariant.DUPLICATE_IS_LIVE,
        "a repeated submission was answered with " + receipt + " instead of " + first);
    if (!first.duplicates().isEmpty()) {
      world.trace.covered(CoveragePoint.DUPLICATES_ANSWERED_AGAIN);
    }
    return true;
  }

  /** Returns what must have been stored of a submission; null if all its tasks are duplicates. */
  @Nullable Submission stored(Submission submission, SubmissionReceipt receipt) {
    Map<UUID, UUID> existing = new HashMap<>();
    Map<UUID, NewTaskRow> kept = new LinkedHashMap<>();
    Map<UUID, NewTaskRow> replacements = new LinkedHashMap<>();
    for (int i = 0; i < submission.tasks().size(); i++) {
      NewTaskRow row = submission.tasks().get(i);
      UUID found = existing(row, kept);
      require(
          receipt.ids().get(i).equals(found == null ? row.id() : found)
              && receipt.isDuplicate(i) == (found != null),
          Invariant.DUPLICATE_IS_LIVE,
          "task %d of %s is answered with %s, but the live task with its key is %s"
              .formatted(i, Trace.shortId(submission.batch()), receipt, found));
      if (found == null) {
        kept.put(row.id(), row);
      } else {
        existing.put(row.id(), found);
        if (row.replacesDuplicate() && kept.containsKey(found)) {
          kept.computeIfPresent(found, (id, first) -> replaced(first, row));
        } else if (row.replacesDuplicate()) {
          replacements.put(found, row);
        }
        world.trace.line("", "a task is a duplicate of " + Trace.shortId(found));
        world.trace.covered(
            kept.containsKey(found)
                ? CoveragePoint.DUPLICATE_IN_ONE_SUBMISSION
                : CoveragePoint.DEDUPLICATED);
      }
    }
    replacements.forEach(world.checker::replaced);
    if (kept.isEmpty()) {
      return null;
    }
    receipts.put(submission.batch(), receipt);
    return new Submission(
        submission.batch(),
        submission.definition(),
        List.copyOf(kept.values()),
        Deduplication.bound(
            submission.dependencies().stream()
                .filter(dependency -> kept.containsKey(dependency.child()))
                .toList(),
            parent -> existing.getOrDefault(parent, parent)),
        submission.key());
  }

  /** Returns the stored or earlier task that a new task is a duplicate of. */
  private @Nullable UUID existing(NewTaskRow row, Map<UUID, NewTaskRow> earlier) {
    String key = row.definition().dedupeKey();
    if (key == null) {
      return null;
    }
    return Stream.concat(
            holders(Shards.of(row.id()), key).map(Task::id),
            earlier.values().stream()
                .filter(other -> key.equals(other.definition().dedupeKey()))
                .map(NewTaskRow::id))
        .findFirst()
        .orElse(null);
  }

  private static NewTaskRow replaced(NewTaskRow row, NewTaskRow by) {
    return new NewTaskRow(
        row.id(),
        ExpectedRows.definition(row.definition(), by.definition(), row.definition().rules()),
        by.due(),
        row.importedHistory(),
        row.expectedCount(),
        row.cancelAtDeadEnd(),
        row.replacesDuplicate());
  }

  private Stream<Task> holders(int shard, String key) {
    return world.checker.tasks().stream()
        .map(TaskChecker::last)
        .filter(task -> task.state().isLive() && key.equals(task.definition().dedupeKey()))
        .filter(task -> Shards.of(task.id()) == shard);
  }

  /** Returns the other live task that has the key of this one. */
  @Nullable Task otherHolder(Task task) {
    String key = task.definition().dedupeKey();
    return key == null
        ? null
        : holders(Shards.of(task.id()), key)
            .filter(other -> !other.id().equals(task.id()))
            .findFirst()
            .orElse(null);
  }

  /** Returns whether the task cannot run again, because another live task has its key. */
  boolean isKeyTaken(Task task) {
    return otherHolder(task) != null;
  }

  /** Returns which of these ended tasks must not run again, with the live tasks in their place. */
  Map<UUID, Task> held(List<UUID> tasks) {
    Map<UUID, Task> held = new LinkedHashMap<>();
    for (UUID task : tasks) {
      Task holder = otherHolder(world.checker.last(task));
      if (holder != null) {
        held.put(task, holder);
      }
    }
    return held;
  }

  void requireOnlyHolder(Task task) {
    if (task.state().isLive()) {
      Task other = otherHolder(task);
      require(
          other == null,
          Invariant.ONE_LIVE_TASK_PER_KEY,
          task + " and " + other + " have the same dedupe key");
    }
  }

  /** Checks that a task of an answer was live at some moment since the request was sent. */
  void requireLiveSince(Task task, Instant since) {
    Instant endedAt = task.times().endedAt();
    require(
        endedAt == null || !endedAt.isBefore(since),
        Invariant.DUPLICATE_IS_LIVE,
        "the answer names %s, which had ended before %s".formatted(task, since));
    if (endedAt != null) {
      world.trace.covered(CoveragePoint.DEDUPLICATED_BESIDE_END);
    }
  }

  /** A change of the task was refused. */
  void refused(Task row) {
    if (row.state().isTerminal() && isKeyTaken(row)) {
      world.trace.covered(CoveragePoint.REVIVE_REFUSED_FOR_KEY);
    }
  }

  /** Compares what the store finds by its keys with the live tasks. */
  void checkKeys() {
    for (TaskChecker checker : world.checker.tasks()) {
      Task task = checker.last();
      String key = task.definition().dedupeKey();
      if (key != null) {
        int shard = Shards.of(task.id());
        UUID found = world.database.reader().findByDedupeKey(shard, key).orElse(null);
        UUID expected = holders(shard, key).map(Task::id).findFirst().orElse(null);
        require(
            Objects.equals(found, expected),
            Invariant.ONE_LIVE_TASK_PER_KEY,
            "the key %s belongs to %s instead of %s".formatted(key, found, expected));
        requireOnlyHolder(task);
      }
    }
  }

  private void require(boolean holds, Invariant invariant, String what) {
    world.violations.require(holds, invariant, what);
  }
}
