// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.internal.ContentDigest;
import dev.perdure.engine.spi.CallerTransaction;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.TaskStore;
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
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Converts new tasks to their stored form, with ids, and submits them. */
final class TaskSubmitter {

  static final int MAX_TRIES = 4;

  private final IdGenerator ids;
  private final PayloadCodec payloadCodec;
  private final int shards;

  TaskSubmitter(IdGenerator ids, PayloadCodec payloadCodec, int shards) {
    this.ids = ids;
    this.payloadCodec = payloadCodec;
    this.shards = shards;
  }

  /**
   * Submits all tasks or none. When the answer is lost, the same ids are submitted again, which
   * changes nothing if they were stored. The store waits between its own retries, so there is no
   * wait here.
   */
  SubmissionReceipt submit(TaskStore store, List<NewTask> tasks) {
    return submit(store, submission(tasks));
  }

  /** Submits all tasks or none, once per key; throws when the key was used for other content. */
  SubmissionReceipt submit(TaskStore store, List<NewTask> tasks, SubmissionKey key) {
    return requireNoConflict(submit(store, submission(tasks, key)));
  }

  private Submission submission(List<NewTask> tasks, SubmissionKey key) {
    List<TaskDefinition> definitions = tasks.stream().map(this::definition).toList();
    Submission.SubmissionKeyDigest digest =
        digest(
            key,
            key.content() == null
                ? content(tasks, definitions)
                : new ContentDigest().add(key.content()).hex());
    UUID batch = ids.next(digest.shard(shards));
    return new Submission(batch, rows(batch, tasks, definitions), digest);
  }

  static Submission.SubmissionKeyDigest digest(SubmissionKey key, String content) {
    return new Submission.SubmissionKeyDigest(
        new ContentDigest().add(key.scope()).add(key.key()).hex(), content);
  }

  private static SubmissionReceipt requireNoConflict(SubmissionReceipt receipt) {
    if (receipt.status() == SubmissionReceipt.SubmissionStatus.CONFLICT) {
      throw new SubmissionKeyConflictException(receipt.batch());
    }
    return receipt;
  }

  private static String content(List<NewTask> tasks, List<TaskDefinition> definitions) {
    ContentDigest digest = new ContentDigest();
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
          .add(tasks.get(i).due)
          .add(tasks.get(i).expectedCount);
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

  /** Submits once: after a failure the caller must roll back its transaction. */
  SubmissionReceipt submitIn(CallerTransaction transaction, List<NewTask> tasks) {
    return transaction.submit(submission(tasks));
  }

  SubmissionReceipt submitIn(
      CallerTransaction transaction, List<NewTask> tasks, SubmissionKey key) {
    return requireNoConflict(transaction.submit(submission(tasks, key)));
  }

  private Submission submission(List<NewTask> tasks) {
    UUID batch = ids.nextInAnyShard(shards);
    return new Submission(batch, rows(batch, tasks, tasks.stream().map(this::definition).toList()));
  }

  private List<NewTaskRow> rows(UUID batch, List<NewTask> tasks, List<TaskDefinition> definitions) {
    int shard = Shards.of(batch);
    List<NewTaskRow> rows = new ArrayList<>(tasks.size());
    for (int i = 0; i < tasks.size(); i++) {
      NewTask task = tasks.get(i);
      rows.add(
          new NewTaskRow(ids.next(shard), definitions.get(i), task.due, null, task.expectedCount));
    }
    return rows;
  }

  /** Submits work that failed in process; it is due when its next attempt would have been. */
  UUID acceptHandOver(TaskStore store, HandOverRequest work) {
    NewTask task =
        NewTask.of(work.kind(), work.payload())
            .retry(work.policy())
            .idempotencyKeyForHandler(work.idempotencyKey());
    UUID batch = ids.nextInAnyShard(shards);
    UUID id = ids.next(Shards.of(batch));
    NewTaskRow row =
        new NewTaskRow(id, definition(task), HistoryImporter.due(work), HistoryImporter.of(work));
    submit(store, new Submission(batch, List.of(row)));
    return id;
  }

  private TaskDefinition definition(NewTask task) {
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
        task.trace);
  }

  private @Nullable String metadata(NewTask task) {
    if (task.metadata == null) {
      return null;
    }
    String text = payloadCodec.write("metadata", task.metadata);
    if (text.getBytes(StandardCharsets.UTF_8).length > NewTask.MAX_METADATA_BYTES) {
      throw new IllegalArgumentException(
          "metadata: must have at most " + NewTask.MAX_METADATA_BYTES + " bytes of JSON");
    }
    return text;
  }
}
