// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.store.CallersTransaction;
import dev.perdure.engine.store.Digest;
import dev.perdure.engine.store.Receipt;
import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.Submission.NewRow;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.task.Definition;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.Wiring;
import dev.perdure.policy.UnfinishedWork;
import dev.perdure.policy.json.PolicyJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Gives new tasks their ids and their stored form. */
final class Submitter {

  static final int MOST_TRIES = 4;

  private final TaskIds ids;
  private final Payloads payloads;
  private final int shards;

  Submitter(TaskIds ids, Payloads payloads, int shards) {
    this.ids = ids;
    this.payloads = payloads;
    this.shards = shards;
  }

  /**
   * Submits all or none; the ids are in the order of the tasks. When the answer is lost the same
   * ids are submitted again, which changes nothing if they were stored. The store has its own
   * patience each time, so there is no wait between.
   */
  List<UUID> submit(TaskStore store, List<NewTask> tasks) {
    Submission submission = submission(tasks);
    submit(store, submission);
    return idsOf(submission);
  }

  /** Submits all or none, unless the key stands for a batch; throws when for another content. */
  Receipt submit(TaskStore store, List<NewTask> tasks, SubmissionKey under) {
    List<Definition> definitions = tasks.stream().map(this::definition).toList();
    Submission.Key key =
        new Submission.Key(
            new Digest().add(under.scope()).add(under.key()).text(),
            under.content() == null
                ? content(tasks, definitions)
                : new Digest().add(under.content()).text());
    UUID batch = ids.next(key.shard(shards));
    Receipt receipt = submit(store, new Submission(batch, rows(batch, tasks, definitions), key));
    if (receipt.answer() == Receipt.Answer.OTHER) {
      throw new KeyTakenException(receipt.batch());
    }
    return receipt;
  }

  private static String content(List<NewTask> tasks, List<Definition> definitions) {
    Digest digest = new Digest();
    for (int i = 0; i < tasks.size(); i++) {
      Definition task = definitions.get(i);
      digest
          .add(task.kind())
          .add(task.name())
          .add(task.payload())
          .add(task.metadata())
          .add(task.policy())
          .add(task.timeout())
          .add(task.deadline())
          .add(task.priority())
          .add(task.idempotencyKey())
          .add(task.localId())
          .add(task.lane())
          .add(task.actions())
          .add(tasks.get(i).due)
          .add(tasks.get(i).expectedCount);
    }
    return digest.text();
  }

  private static Receipt submit(TaskStore store, Submission submission) {
    StoreException lost = null;
    for (int i = 0; i < MOST_TRIES; i++) {
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
        "the answer was lost, and repeating did not bring it: the tasks of batch "
            + submission.batch()
            + " may exist",
        lost,
        StoreException.Sort.UNKNOWN);
  }

  /** Submits them once: after any trouble the transaction is the caller's to roll back. */
  List<UUID> submitIn(CallersTransaction transaction, List<NewTask> tasks) {
    Submission submission = submission(tasks);
    transaction.submit(submission);
    return idsOf(submission);
  }

  private Submission submission(List<NewTask> tasks) {
    UUID batch = ids.nextOfAny(shards);
    return new Submission(batch, rows(batch, tasks, tasks.stream().map(this::definition).toList()));
  }

  private List<NewRow> rows(UUID batch, List<NewTask> tasks, List<Definition> definitions) {
    int shard = Shards.of(batch);
    List<NewRow> rows = new ArrayList<>(tasks.size());
    for (int i = 0; i < tasks.size(); i++) {
      NewTask task = tasks.get(i);
      rows.add(new NewRow(ids.next(shard), definitions.get(i), task.due, null, task.expectedCount));
    }
    return rows;
  }

  private static List<UUID> idsOf(Submission submission) {
    return submission.tasks().stream().map(NewRow::id).toList();
  }

  /** Submits work that somebody else began; it is due when its last attempt wanted the next. */
  UUID takeOver(TaskStore store, UnfinishedWork work) {
    NewTask task =
        NewTask.of(work.kind(), work.payload())
            .retry(work.policy())
            .idempotencyKey(work.idempotencyKey());
    UUID batch = ids.nextOfAny(shards);
    UUID id = ids.next(Shards.of(batch));
    NewRow row = new NewRow(id, definition(task), Pasts.due(work), Pasts.of(work));
    submit(store, new Submission(batch, List.of(row)));
    return id;
  }

  private Definition definition(NewTask task) {
    JsonNode policy = task.policy.isNone() ? null : PolicyJson.write(task.policy);
    return new Definition(
        task.kind,
        task.name,
        payloads.write("payload", task.payload),
        metadata(task),
        policy == null ? null : policy.toString(),
        policy == null ? null : policy.path("backoff").path("type").asString(),
        task.timeout,
        task.deadline,
        task.priority,
        task.idempotencyKey,
        task.localId,
        new Wiring(task.lane, task.actions, task.trace));
  }

  private @Nullable String metadata(NewTask task) {
    if (task.metadata == null) {
      return null;
    }
    String text = payloads.write("metadata", task.metadata);
    if (text.getBytes(StandardCharsets.UTF_8).length > NewTask.MOST_METADATA_BYTES) {
      throw new IllegalArgumentException(
          "metadata: must have at most " + NewTask.MOST_METADATA_BYTES + " bytes of JSON");
    }
    return text;
  }
}
