// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.query.DeliveryReader;
import dev.perdure.engine.query.StoreStatistics;
import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.spi.CallersTransaction;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.HandOverRequest;
import dev.perdure.policy.HandOverTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import tools.jackson.databind.JsonNode;

/**
 * Runs tasks that survive: submit them, register who does them, start.
 *
 * <pre>{@code
 * Engine engine = Engine.on(store);
 * engine.register("send-email", EmailJob.class, (job, context) -> mailer.send(job));
 * engine.start();
 * engine.submit(NewTask.of("send-email", new EmailJob("ada@example.org")).retry(policy));
 * engine.awaitStop(); // its threads do not keep a program alive
 * }</pre>
 *
 * <p>An acknowledged task is never lost. Execution is at least once. Safe to share. It does not
 * close the store it was given.
 */
public final class Engine implements HandOverTarget, AutoCloseable {

  private static final int MAX_ATTEMPTS_SHOWN = 1_000;
  private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

  private final NodeComponents nodeComponents;
  private final EngineLoops loops;
  private final CountDownLatch stopped = new CountDownLatch(1);

  Engine(NodeComponents nodeComponents) {
    this.nodeComponents = nodeComponents;
    this.loops = new EngineLoops(nodeComponents);
  }

  /** An engine on this store with every option at its default. */
  public static Engine on(TaskStore store) {
    return builder(store).build();
  }

  public static EngineBuilder builder(TaskStore store) {
    return new EngineBuilder(store);
  }

  /** Says who does tasks of this kind here; before the start. */
  public <P> void register(String kind, Class<P> type, TaskHandler<P> handler) {
    register(kind, type, handler, HandlerOptions.defaults());
  }

  public <P> void register(
      String kind, Class<P> type, TaskHandler<P> handler, HandlerOptions options) {
    if (kind.startsWith(NewTask.QUEUE_PREFIX)) {
      throw new IllegalArgumentException(
          "kind: must not begin with '" + NewTask.QUEUE_PREFIX + "': register a lane instead");
    }
    add(kind, new HandlerRegistry.HandlerRegistration<>(type, handler, options));
  }

  /** Says who does the tasks of this lane here, whatever their kind; before the start. */
  public void registerQueue(String lane, QueueHandler handler, HandlerOptions options) {
    NewTask.requireQueue(lane);
    // The payload is the callee's to read: any JSON will do.
    add(
        lane,
        new HandlerRegistry.HandlerRegistration<>(
            JsonNode.class, (payload, context) -> handler.handle(context), options));
  }

  private void add(String name, HandlerRegistry.HandlerRegistration<?> handlerRegistration) {
    loops.requireNotStarted();
    nodeComponents.handlers.add(name, handlerRegistration);
    nodeComponents.inFlight.slots().limit(name, handlerRegistration.options().concurrency());
  }

  /** Begins to claim and run; without it the engine only submits and answers questions. */
  public void start() {
    loops.start();
  }

  /**
   * Stores the task; it is safe when this returns. A lost answer is asked for again, with the same
   * ids; when it cannot be had, the StoreException is {@link StoreException#unknown()}: then the
   * tasks may exist.
   */
  public UUID submit(NewTask task) {
    return submitAll(List.of(task)).ids().getFirst();
  }

  /** Stores all of these tasks or none, in one batch, as {@link #submit(NewTask)} does for one. */
  public SubmissionReceipt submitAll(List<NewTask> tasks) {
    return submitted(nodeComponents.submitter.submit(nodeComponents.store, tasks));
  }

  /**
   * Stores all of these tasks or none, once per key: a call that repeats a key within 24 hours
   * stores nothing and gets the batch and ids of the first call. Of concurrent calls with the same
   * key, on any node, one stores.
   *
   * @throws SubmissionKeyConflictException when the key was used for other tasks
   */
  public SubmissionReceipt submitAll(List<NewTask> tasks, SubmissionKey key) {
    return submitted(nodeComponents.submitter.submit(nodeComponents.store, tasks, key));
  }

  private SubmissionReceipt submitted(SubmissionReceipt receipt) {
    if (receipt.status() == SubmissionReceipt.SubmissionStatus.STORED) {
      nodeComponents.listener.onSubmitted(receipt.ids().size());
      loops.wake();
    }
    return receipt;
  }

  /** Stores the task in the caller's own transaction: it exists exactly when that commits. */
  public UUID submit(NewTask task, CallersTransaction transaction) {
    return submitAll(List.of(task), transaction).ids().getFirst();
  }

  /** Stores all of these tasks or none in the caller's transaction. */
  public SubmissionReceipt submitAll(List<NewTask> tasks, CallersTransaction transaction) {
    return nodeComponents.submitter.submitIn(transaction, tasks);
  }

  /**
   * Stores a task that goes on where retries in a process ended: its first attempt here has the
   * number after theirs, and theirs stand in its history.
   */
  @Override
  public UUID acceptHandOver(HandOverRequest work) {
    UUID id = nodeComponents.submitter.takeOver(nodeComponents.store, work);
    nodeComponents.listener.onSubmitted(1);
    loops.wake();
    return id;
  }

  public Optional<Task> find(UUID id) {
    return nodeComponents.store.reader().find(id);
  }

  /** How each lease of the task ended, oldest first; the newest thousand. */
  public List<Attempt> attempts(UUID id) {
    return nodeComponents.store.reader().attempts(id, MAX_ATTEMPTS_SHOWN);
  }

  /** Lists and counts. */
  public TaskReader tasks() {
    return nodeComponents.store.reader();
  }

  /** Counts what is live and, within limits, what has ended. */
  public StoreStatistics statistics() {
    return nodeComponents.store.reader().statistics();
  }

  /** Reads deliveries. */
  public DeliveryReader deliveries() {
    return nodeComponents.store.outbox();
  }

  /**
   * Sends a delivery again that was sent or given up; its retry policy starts over.
   *
   * @return false when the delivery is still pending, does not exist, or its batch is being purged
   */
  public boolean redeliver(UUID delivery) {
    return nodeComponents.store.outbox().redeliver(delivery);
  }

  /**
   * Ends the task for good, whatever it is doing; a handler under way is interrupted. Repeating it
   * changes nothing.
   */
  public void cancel(UUID id) {
    boolean held =
        nodeComponents
            .operatorCommands
            .execute(
                id,
                task ->
                    task.state() == TaskState.CANCELED
                        ? null
                        : nodeComponents.lifecycle.cancel(task))
            .filter(before -> before.state().isLeased())
            .isPresent();
    if (held) {
      loops.wake(); // It may run on another node, which learns of it so.
    }
  }

  /** Keeps the task from being claimed; an attempt under way ends as usual. */
  public void pause(UUID id) {
    nodeComponents.operatorCommands.execute(id, nodeComponents.lifecycle::pause);
  }

  /** Goes on with a paused or parked task. */
  public void resume(UUID id) {
    nodeComponents.operatorCommands.execute(id, nodeComponents.lifecycle::resume);
    loops.wake();
  }

  /** Makes a waiting retry due at once. */
  public void retryNow(UUID id) {
    retry(id, Due.now());
  }

  /** Makes a waiting retry due at this instant. */
  public void retryAt(UUID id, Instant instant) {
    retry(id, Due.at(instant));
  }

  private void retry(UUID id, Due due) {
    nodeComponents.operatorCommands.execute(
        id, task -> nodeComponents.lifecycle.retryAt(task, due));
    loops.wake();
  }

  /** Runs a failed or canceled task again; its policy counts from here. */
  public void revive(UUID id) {
    nodeComponents.operatorCommands.execute(id, nodeComponents.lifecycle::revive);
    loops.wake();
  }

  /**
   * Does to each of these tasks what the action says, if it {@link BulkAction#appliesTo} the task
   * and nothing happens to it meanwhile. They are read whole: few at a time are best.
   *
   * @return how many were changed
   */
  public int bulk(BulkAction action, List<TaskRow> rows) {
    List<UUID> meant = rows.stream().filter(action::appliesTo).map(TaskRow::id).toList();
    List<Task> concerned =
        nodeComponents.store.reader().findAll(meant).stream()
            .filter(task -> action.appliesTo(task.row()))
            .toList();
    int changed =
        nodeComponents.changeWriter.write(
            concerned, (task, now) -> action.decide(nodeComponents.lifecycle, task));
    if (changed > 0) {
      loops.wake();
    }
    return changed;
  }

  /**
   * True while this node may claim and run: it has started, and what it last wrote to keep its row
   * alive was written in time. Never asks the store.
   */
  public boolean isAlive() {
    return nodeComponents.leaseKeeper.activeNode() != null;
  }

  /** What is done elsewhere: by workers that claim from outside, and by those who were called. */
  public RemoteWork remote() {
    return loops.remote();
  }

  /**
   * Stops: claims nothing more, lets handlers and couriers finish within the limit, interrupts the
   * others and hands back what they did, and writes every end. When handlers ignore their interrupt
   * or the store hangs, it takes up to half a minute longer than the limit, but no more. An
   * interrupt of the caller ends the wait for the handlers; the rest is done all the same. Who
   * calls it while it is under way waits for its end.
   *
   * @return true when every handler had finished by itself
   */
  public boolean stop(Duration limit) {
    try {
      return loops.stop(limit);
    } finally {
      stopped.countDown();
    }
  }

  /** Waits until another thread has stopped the engine: the last line of many a program. */
  public void awaitStop() throws InterruptedException {
    stopped.await();
  }

  /** Stops, with ten seconds for the handlers: see {@link #stop}. */
  @Override
  public void close() {
    stop(STOP_LIMIT);
  }
}
