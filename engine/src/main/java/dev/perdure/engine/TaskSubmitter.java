// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.internal.ContentDigest;
import dev.perdure.engine.spi.CallerTransaction;
import dev.perdure.engine.spi.LimitRules;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.LimitType;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.policy.HandOverRequest;
import dev.perdure.policy.json.PolicyJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Converts new tasks to their stored form, with ids, and submits them. */
final class TaskSubmitter {

  static final int MAX_TRIES = 4;

  private static final int MAX_PROBLEMS_SHOWN = 10;

  private final IdGenerator ids;
  private final PayloadCodec payloadCodec;
  private final int shards;

  TaskSubmitter(IdGenerator ids, PayloadCodec payloadCodec, int shards) {
    this.ids = ids;
    this.payloadCodec = payloadCodec;
    this.shards = shards;
  }

  PayloadCodec payloadCodec() {
    return payloadCodec;
  }

  /** A submission with the order of the batch, in which callers expect the ids. */
  private record Draft(Submission submission, List<Integer> order) {

    /** Stores keep ids in ascending order, parents first; callers expect them as they submitted. */
    SubmissionReceipt inOrderOfBatch(SubmissionReceipt receipt) {
      if (receipt.ids().size() != order.size() || submission.dependencies().isEmpty()) {
        return receipt;
      }
      UUID[] ids = new UUID[order.size()];
      for (int i = 0; i < ids.length; i++) {
        ids[order.get(i)] = receipt.ids().get(i);
      }
      Set<Integer> duplicates =
          receipt.duplicates().stream().map(order::get).collect(Collectors.toSet());
      return new SubmissionReceipt(receipt.batch(), List.of(ids), receipt.status(), duplicates);
    }
  }

  /**
   * Submits all tasks or none. When the answer is lost, the same ids are submitted again, which
   * changes nothing if they were stored. The store waits between its own retries, so there is no
   * wait here.
   */
  SubmissionReceipt submit(TaskStore store, Batch batch) {
    Draft draft = draft(batch, null);
    return stored(draft, submit(store, draft.submission()));
  }

  /** Submits all tasks or none, once per key; throws when the key was used for other content. */
  SubmissionReceipt submit(TaskStore store, Batch batch, SubmissionKey key) {
    Draft draft = draft(batch, key);
    return stored(draft, submit(store, draft.submission()));
  }

  /** Submits once: after a failure the caller must roll back its transaction. */
  SubmissionReceipt submitIn(CallerTransaction transaction, Batch batch) {
    Draft draft = draft(batch, null);
    return stored(draft, transaction.submit(draft.submission()));
  }

  SubmissionReceipt submitIn(CallerTransaction transaction, Batch batch, SubmissionKey key) {
    Draft draft = draft(batch, key);
    return stored(draft, transaction.submit(draft.submission()));
  }

  /** The submission of a batch that is stored to be repeated. */
  Submission submission(Batch batch) {
    return draft(batch, null).submission();
  }

  private Draft draft(Batch batch, @Nullable SubmissionKey key) {
    TaskGraph graph = new TaskGraph(batch.tasks, shards);
    requireNoProblems(graph.problems());
    List<TaskDefinition> definitions = batch.tasks.stream().map(this::definition).toList();
    BatchDefinition definition = definition(batch);
    Submission.SubmissionKeyDigest digest =
        key == null
            ? null
            : digest(
                key,
                key.content() == null
                    ? content(batch, definition, definitions)
                    : new ContentDigest().add(key.content()).hex());
    UUID id = ids.next(shard(batch, graph, digest));
    UUID[] taskIds = new UUID[batch.tasks.size()];
    List<NewTaskRow> rows = new ArrayList<>(taskIds.length);
    for (int index : graph.order()) {
      NewTask task = batch.tasks.get(index);
      taskIds[index] = ids.next(Shards.of(id));
      rows.add(
          new NewTaskRow(
              taskIds[index],
              definitions.get(index),
              task.due,
              null,
              task.expectedCount,
              batch.deadEndCancel && !task.deadEndBarrier,
              task.replacesDuplicate));
    }
    return new Draft(
        new Submission(id, definition, rows, graph.dependencies(List.of(taskIds)), digest),
        graph.order());
  }

  /** Repeating a submission must give the same shard, or its key would not be found. */
  private int shard(Batch batch, TaskGraph graph, Submission.@Nullable SubmissionKeyDigest digest) {
    Integer ofParents = graph.shard();
    if (ofParents != null) {
      return ofParents;
    }
    String shardKey = batch.shardKey == null ? onlyDedupeKey(batch) : batch.shardKey;
    if (shardKey != null) {
      return new Submission.SubmissionKeyDigest(new ContentDigest().add(shardKey).hex(), "")
          .shard(shards);
    }
    return digest == null ? ids.anyShard(shards) : digest.shard(shards);
  }

  /** The dedupe key of the batch; null when it has none, or several. */
  private static @Nullable String onlyDedupeKey(Batch batch) {
    String only = null;
    for (NewTask task : batch.tasks) {
      if (task.dedupeKey != null && only != null && !only.equals(task.dedupeKey)) {
        return null;
      }
      only = task.dedupeKey == null ? only : task.dedupeKey;
    }
    return only;
  }

  private static void requireNoProblems(List<DependencyProblem> problems) {
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(
          problems.stream()
              .limit(MAX_PROBLEMS_SHOWN)
              .map(
                  problem ->
                      "tasks[%d].after[%d]: %s"
                          .formatted(problem.task(), problem.dependency(), problem.message()))
              .collect(Collectors.joining("; ")));
    }
  }

  private BatchDefinition definition(Batch batch) {
    String canonical = batch.policy.isNone() ? null : PolicyJson.write(batch.policy).toString();
    return new BatchDefinition(
        batch.name,
        context(batch),
        canonical,
        Objects.equals(batch.policyAsGiven, canonical) ? null : batch.policyAsGiven,
        batch.actions,
        FollowUpTasks.write(
            batch.followUps.stream()
                .map(task -> new FollowUpTasks.FollowUp(task.on(), definition(task.task())))
                .toList()));
  }

  private @Nullable String context(Batch batch) {
    return batch.context == null
        ? null
        : limited("context", batch.context, Batch.MAX_CONTEXT_BYTES);
  }

  static Submission.SubmissionKeyDigest digest(SubmissionKey key, String content) {
    return new Submission.SubmissionKeyDigest(
        new ContentDigest().add(key.scope()).add(key.key()).hex(), content);
  }

  private static SubmissionReceipt stored(Draft draft, SubmissionReceipt receipt) {
    return switch (receipt.status()) {
      case STORED, DUPLICATE -> draft.inOrderOfBatch(receipt);
      case CONFLICT -> throw new SubmissionKeyConflictException(receipt.batch());
      case UNKNOWN_PARENT -> throw new UnknownDependencyException(receipt.ids());
    };
  }

  private static String content(
      Batch batch, BatchDefinition definition, List<TaskDefinition> definitions) {
    ContentDigest digest =
        new ContentDigest()
            .add(definition.name())
            .add(definition.context())
            .add(definition.policy())
            .add(definition.policyAsGiven())
            .add(definition.actions())
            .add(definition.followUps())
            .add(batch.deadEndCancel);
    List<NewTask> tasks = batch.tasks;
    for (int i = 0; i < tasks.size(); i++) {
      TaskDefinition task = definitions.get(i);
      digest
          .add(task.kind())
          .add(task.name())
          .add(task.payload())
          .add(task.metadata())
          .add(task.policy())
          .add(task.policyAsGiven())
          .add(task.timeout())
          .add(task.deadline())
          .add(task.priority())
          .add(task.idempotencyKey())
          .add(task.localId())
          .add(task.queue())
          .add(task.actions())
          .add(task.rules())
          .add(task.dedupeKey())
          .add(tasks.get(i).replacesDuplicate)
          .add(tasks.get(i).due)
          .add(tasks.get(i).expectedCount)
          .add(tasks.get(i).deadEndBarrier)
          .add(tasks.get(i).dependencies.size());
      for (NewTask.DependencyOn dependency : tasks.get(i).dependencies) {
        digest.add(dependency.id()).add(dependency.requiresSuccess());
      }
    }
    return digest.hex();
  }

  private static SubmissionReceipt submit(TaskStore store, Submission submission) {
    StoreException lost = null;
    for (int i = 0; i < MAX_TRIES; i++) {
      try {
        return store.submit(submission);
      } catch (StoreException problem) {
        if (lost == null && !problem.unknown()) {
          throw problem;
        }
        lost = problem;
      }
    }
    throw new StoreException(
        "the store's answer was lost, also when the submission was repeated: the tasks of batch "
            + submission.batch()
            + " may exist",
        lost,
        StoreException.ErrorKind.UNKNOWN);
  }

  /** Submits work that failed in process; it is due when its next attempt would have been. */
  UUID acceptHandOver(TaskStore store, HandOverRequest work) {
    NewTask task =
        NewTask.of(work.kind(), work.payload())
            .retry(work.policy())
            .idempotencyKeyForHandler(work.idempotencyKey());
    UUID batch = ids.next(ids.anyShard(shards));
    UUID id = ids.next(Shards.of(batch));
    NewTaskRow row =
        new NewTaskRow(id, definition(task), HistoryImporter.due(work), HistoryImporter.of(work));
    submit(store, new Submission(batch, List.of(row)));
    return id;
  }

  private TaskDefinition definition(NewTask task) {
    if (task.replacesDuplicate && task.dedupeKey == null) {
      throw new IllegalArgumentException("replaceDuplicate: needs a dedupe key");
    }
    JsonNode policy = task.policy.isNone() ? null : PolicyJson.write(task.policy);
    String canonical = policy == null ? null : policy.toString();
    return new TaskDefinition(
        task.kind,
        task.name,
        payloadCodec.write("payload", task.payload),
        metadata(task),
        canonical,
        Objects.equals(task.policyAsGiven, canonical) ? null : task.policyAsGiven,
        policy == null ? null : policy.path("backoff").path("type").asString(),
        task.timeout,
        task.deadline,
        task.priority,
        task.idempotencyKey,
        task.localId,
        task.queue,
        task.actions,
        task.trace,
        rules(task),
        task.dedupeKey);
  }

  private static @Nullable String rules(NewTask task) {
    boolean countsItems =
        task.limits.stream().anyMatch(limit -> limit.rule().type() == LimitType.CAPACITY);
    if (countsItems && task.expectedCount == null) {
      throw new IllegalArgumentException(
          "limits: a limit on capacity needs the expected count of the task");
    }
    return task.rulesAsGiven == null ? LimitRules.write(task.limits, task.kind) : task.rulesAsGiven;
  }

  private @Nullable String metadata(NewTask task) {
    if (task.metadata == null) {
      return null;
    }
    return limited("metadata", task.metadata, NewTask.MAX_METADATA_BYTES);
  }

  private String limited(String field, Object value, int max) {
    String text = payloadCodec.write(field, value);
    if (text.getBytes(StandardCharsets.UTF_8).length > max) {
      throw new IllegalArgumentException(field + ": must have at most " + max + " bytes of JSON");
    }
    return text;
  }
}
