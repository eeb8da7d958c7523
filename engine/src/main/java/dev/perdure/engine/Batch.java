// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.policy.RetryPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Tasks that are submitted together, all or none. Immutable: each method returns a copy.
 *
 * <pre>{@code
 * engine.submit(
 *     Batch.of(
 *             NewTask.of("import", file).id("import"),
 *             NewTask.of("report", month).after("import"))
 *         .name("May"));
 * }</pre>
 */
public final class Batch {

  /** Maximum size of the context, in bytes of JSON in UTF-8. */
  public static final int MAX_CONTEXT_BYTES = 64 * 1024;

  private static final int MAX_FOLLOW_UPS = 100;

  final List<NewTask> tasks;
  @Nullable String name;
  @Nullable Object context;
  @Nullable String shardKey;
  RetryPolicy policy = RetryPolicy.none();
  @Nullable String policyAsGiven;
  @Nullable String actions;
  List<FollowUpTask> followUps = List.of();
  boolean deadEndCancel;

  /**
   * A task to submit when the batch is final.
   *
   * @param on the outcome that it is submitted for; null means any
   */
  record FollowUpTask(@Nullable BatchOutcome on, NewTask task) {}

  private Batch(List<NewTask> tasks) {
    if (tasks.isEmpty() || tasks.size() > Submission.MAX_TASKS) {
      throw new IllegalArgumentException(
          "tasks: must be 1 to " + Submission.MAX_TASKS + ", not " + tasks.size());
    }
    this.tasks = List.copyOf(tasks);
  }

  private Batch(Batch other) {
    this(other.tasks);
    name = other.name;
    context = other.context;
    shardKey = other.shardKey;
    policy = other.policy;
    policyAsGiven = other.policyAsGiven;
    actions = other.actions;
    followUps = other.followUps;
    deadEndCancel = other.deadEndCancel;
  }

  public static Batch of(NewTask... tasks) {
    return of(List.of(tasks));
  }

  public static Batch of(List<NewTask> tasks) {
    return new Batch(tasks);
  }

  /** A name to show. */
  public Batch name(String value) {
    NewTask.requireText("name", value, NewTask.MAX_NAME_CHARACTERS);
    Batch copy = new Batch(this);
    copy.name = value;
    return copy;
  }

  /** Something that all tasks can read; anything that Jackson can write as JSON. */
  public Batch context(Object value) {
    Batch copy = new Batch(this);
    copy.context = requireNonNull(value, "context");
    return copy;
  }

  /**
   * Runs all tasks again, as a new run of the same batch, when all have ended and one of them
   * failed. The policy sees the failure that came first. Its expiry counts from the first run.
   */
  public Batch retry(RetryPolicy value) {
    return retry(value, null);
  }

  /** The retry policy, and the JSON that it was read from, to show. */
  public Batch retry(RetryPolicy value, @Nullable JsonNode asGiven) {
    Batch copy = new Batch(this);
    copy.policy = requireNonNull(value, "policy");
    copy.policyAsGiven = asGiven == null ? null : asGiven.toString();
    return copy;
  }

  /**
   * Submits this task, in a batch of its own, when all tasks have succeeded. It is stored in the
   * same transaction that makes the batch final. The context of its batch has the fields {@code
   * batch_id}, {@code run} and {@code outcome}.
   */
  public Batch onSuccess(NewTask task) {
    return followedBy(BatchOutcome.SUCCESS, task);
  }

  /** Like {@link #onSuccess}, when a task has failed and the batch does not run again. */
  public Batch onFailure(NewTask task) {
    return followedBy(BatchOutcome.FAILURE, task);
  }

  /** Like {@link #onSuccess}, when the batch is final, whatever its outcome. */
  public Batch onFinished(NewTask task) {
    return followedBy(null, task);
  }

  private Batch followedBy(@Nullable BatchOutcome on, NewTask task) {
    if (!task.dependencies.isEmpty()) {
      throw new IllegalArgumentException(
          "after: a task that follows the batch cannot depend on other tasks");
    }
    List<FollowUpTask> all = new ArrayList<>(followUps);
    all.add(new FollowUpTask(on, task));
    if (all.size() > MAX_FOLLOW_UPS) {
      throw new IllegalArgumentException(
          "a batch can be followed by at most " + MAX_FOLLOW_UPS + " tasks");
    }
    Batch copy = new Batch(this);
    copy.followUps = List.copyOf(all);
    return copy;
  }

  /** JSON that the delivery planner reads when the batch is final. */
  public Batch actions(String json) {
    NewTask.requireText("actions", json, NewTask.MAX_ACTIONS_CHARACTERS);
    Batch copy = new Batch(this);
    copy.actions = json;
    return copy;
  }

  /**
   * Cancels a task that has not ended when all tasks that depend on it have, because its result is
   * no longer needed. This goes up the graph, except through tasks with a {@link
   * NewTask#deadEndBarrier}.
   */
  public Batch deadEndCancel() {
    return deadEndCancel(true);
  }

  /** Cancels dead ends or, by default, does not. */
  public Batch deadEndCancel(boolean value) {
    Batch copy = new Batch(this);
    copy.deadEndCancel = value;
    return copy;
  }

  /**
   * Puts all batches with the same key into the same shard, so that their tasks can depend on each
   * other. Needed only on a store with several shards.
   */
  public Batch shardKey(String value) {
    NewTask.requireText("shardKey", value, NewTask.MAX_NAME_CHARACTERS);
    Batch copy = new Batch(this);
    copy.shardKey = value;
    return copy;
  }

  /** How many tasks of each kind were stored, without duplicates of live tasks. */
  Map<String, Integer> storedByKind(SubmissionReceipt receipt) {
    Map<String, Integer> stored = new HashMap<>();
    for (int i = 0; i < tasks.size(); i++) {
      if (!receipt.isDuplicate(i)) {
        stored.merge(tasks.get(i).kind, 1, Integer::sum);
      }
    }
    return stored;
  }
}
