// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.query.BatchReader;
import dev.perdure.engine.query.DeliveryReader;
import dev.perdure.engine.query.StoreStatistics;
import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.schedule.Trigger;
import dev.perdure.engine.spi.CallerTransaction;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.DeliveryState;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.policy.HandOverRequest;
import dev.perdure.policy.HandOverTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Runs durable tasks. Register handlers, start the engine, submit tasks.
 *
 * <pre>{@code
 * Engine engine = Engine.on(store);
 * engine.register("send-email", EmailJob.class, (job, context) -> mailer.send(job));
 * engine.start();
 * engine.submit(NewTask.of("send-email", new EmailJob("ada@example.org")).retry(policy));
 * engine.awaitStop(); // the engine's threads do not keep a program alive
 * }</pre>
 *
 * <p>An acknowledged task is never lost. Execution is at least once. Thread-safe. The engine does
 * not close the store.
 */
public final class Engine implements HandOverTarget, AutoCloseable {

  private static final int MAX_ATTEMPTS_SHOWN = 1_000;
  private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

  private final NodeComponents node;
  private final EngineLoops loops;
  private final CountDownLatch stopped = new CountDownLatch(1);

  Engine(NodeComponents node) {
    this.node = node;
    this.loops = new EngineLoops(node);
  }

  /** An engine on this store with default options. */
  public static Engine on(TaskStore store) {
    return builder(store).build();
  }

  public static EngineBuilder builder(TaskStore store) {
    return new EngineBuilder(store);
  }

  /** Registers the handler for tasks of this kind; call it before {@link #start()}. */
  public <P> void register(String kind, Class<P> type, TaskHandler<P> handler) {
    register(kind, type, handler, HandlerOptions.defaults());
  }

  public <P> void register(
      String kind, Class<P> type, TaskHandler<P> handler, HandlerOptions options) {
    HandlerRegistry.requireKind(kind);
    add(kind, new HandlerRegistry.HandlerRegistration<>(type, handler, options));
  }

  /**
   * Registers the handler for the tasks of this queue, whatever their kind; call it before {@link
   * #start()}.
   */
  public void registerQueue(String queue, QueueHandler handler, HandlerOptions options) {
    NewTask.requireQueue(queue);
    options.requireNoLimits();
    // Only the callee reads the payload, so any JSON will do.
    add(
        queue,
        new HandlerRegistry.HandlerRegistration<>(
            JsonNode.class, (payload, context) -> handler.handle(context), options));
  }

  private void add(String name, HandlerRegistry.HandlerRegistration<?> registration) {
    loops.requireNotStarted();
    node.handlers.add(name, registration);
    node.inFlight.slots().limit(name, registration.options().concurrency());
  }

  /** Starts claiming and running tasks; before that the engine only submits and reads. */
  public void start() {
    loops.start();
  }

  /**
   * Stores the task; it is durable when this returns. When the store's answer is lost, the engine
   * submits the same ids again. When that does not help either, it throws a StoreException that is
   * {@link StoreException#unknown()}: the task may exist.
   */
  public UUID submit(NewTask task) {
    return submitAll(List.of(task)).ids().getFirst();
  }

  /** Stores the task once per key, as {@link #submitAll(List, SubmissionKey)} does. */
  public UUID submit(NewTask task, SubmissionKey key) {
    return submitAll(List.of(task), key).ids().getFirst();
  }

  /** Stores all of these tasks or none, in one batch, as {@link #submit(NewTask)} does for one. */
  public SubmissionReceipt submitAll(List<NewTask> tasks) {
    return submit(Batch.of(tasks));
  }

  /**
   * Stores all of these tasks or none, once per key: a call that repeats a key within 24 hours
   * stores nothing and gets the batch and ids of the first call. Of concurrent calls with the same
   * key, on any node, one stores.
   *
   * @throws SubmissionKeyConflictException when the key was used for other tasks
   */
  public SubmissionReceipt submitAll(List<NewTask> tasks, SubmissionKey key) {
    return submit(Batch.of(tasks), key);
  }

  /** True if tasks were submitted with this key within the last 24 hours. */
  public boolean isSubmitted(SubmissionKey key) {
    return node.store.isSubmitted(TaskSubmitter.digest(key, ""));
  }

  private SubmissionReceipt submitted(Batch batch, SubmissionReceipt receipt) {
    if (receipt.status() == SubmissionReceipt.SubmissionStatus.STORED) {
      node.listener.onSubmitted(batch.storedByKind(receipt));
      loops.wake();
    }
    return receipt;
  }

  /** Stores all tasks of the batch or none, as {@link #submit(NewTask)} does for one. */
  public SubmissionReceipt submit(Batch batch) {
    return submitted(batch, node.submitter.submit(node.store, batch));
  }

  /** What is wrong with the dependencies of the tasks; empty when they can be submitted. */
  public List<DependencyProblem> dependencyProblems(Batch batch) {
    return List.copyOf(new TaskGraph(batch.tasks, node.store.shards()).problems());
  }

  /** Stores all tasks of the batch or none, once per key. */
  public SubmissionReceipt submit(Batch batch, SubmissionKey key) {
    return submitted(batch, node.submitter.submit(node.store, batch, key));
  }

  /** Stores all tasks of the batch or none in the caller's transaction. */
  public SubmissionReceipt submit(Batch batch, CallerTransaction transaction) {
    return node.submitter.submitIn(transaction, batch);
  }

  /**
   * Stores all tasks of the batch or none in the caller's transaction, once per key. If another
   * open transaction has used the key, the call waits until that transaction has ended.
   *
   * @throws SubmissionKeyConflictException when the key was used for other tasks
   */
  public SubmissionReceipt submit(Batch batch, SubmissionKey key, CallerTransaction transaction) {
    return node.submitter.submitIn(transaction, batch, key);
  }

  /** Stores the task in the caller's own transaction: it exists if and only if that commits. */
  public UUID submit(NewTask task, CallerTransaction transaction) {
    return submit(Batch.of(task), transaction).ids().getFirst();
  }

  /** Stores the task in the caller's transaction, once per key. */
  public UUID submit(NewTask task, SubmissionKey key, CallerTransaction transaction) {
    return submit(Batch.of(task), key, transaction).ids().getFirst();
  }

  /** Continues work after its retries in the process, which become part of the task's history. */
  @Override
  public UUID acceptHandOver(HandOverRequest work) {
    UUID id = node.submitter.acceptHandOver(node.store, work);
    node.listener.onSubmitted(Map.of(work.kind(), 1));
    loops.wake();
    return id;
  }

  public Optional<Task> find(UUID id) {
    return node.store.reader().find(id);
  }

  /** The records of the task's ended leases, oldest first; at most the newest thousand. */
  public List<Attempt> attempts(UUID id) {
    return node.store.reader().attempts(id, MAX_ATTEMPTS_SHOWN);
  }

  /** The database's clock, as this node estimates it: it asks every 30 seconds at most. */
  public Instant now() {
    return node.databaseClock.now();
  }

  /** Reads tasks. */
  public TaskReader tasks() {
    return node.store.reader();
  }

  /** Counts the live tasks and, within limits, the ended ones. */
  public StoreStatistics statistics() {
    return node.store.reader().statistics();
  }

  /** Reads deliveries. */
  public DeliveryReader deliveries() {
    return node.store.outbox();
  }

  /** Sends an ended delivery again; its retry policy starts over. False if there is none. */
  public boolean redeliver(UUID delivery) {
    return node.store.outbox().redeliver(delivery);
  }

  /** Sends a delivery again after this delay. False if it is not dead any more. */
  public boolean redeliverDead(UUID delivery, Duration delay) {
    return node.store.outbox().redeliver(delivery, DeliveryState.DEAD, delay);
  }

  /** Cancels the task, whatever its state; a running handler is interrupted. Can be repeated. */
  public void cancel(UUID id) {
    if (node.operatorCommands.cancel(id)) {
      loops.wake(); // The task may run on another node, which learns of the cancel this way.
    }
  }

  /** Keeps the task from being claimed; a running attempt ends as usual. */
  public void pause(UUID id) {
    node.operatorCommands.pause(id);
  }

  /** Resumes a paused or parked task. */
  public void resume(UUID id) {
    node.operatorCommands.resume(id);
    loops.wake();
  }

  /** Makes a waiting retry, or another task that is not claimed yet, due at once. */
  public void retryNow(UUID id) {
    node.operatorCommands.retryNow(id);
    loops.wake();
  }

  /** Moves a waiting retry, or another task that is not claimed yet, to this instant. */
  public void reschedule(UUID id, Instant instant) {
    node.operatorCommands.reschedule(id, instant);
    loops.wake();
  }

  /**
   * Runs a failed or canceled task again; its policy starts over. Tasks that failed only because of
   * it wait for it again. It cannot be revived while a task that it depends on has failed; see
   * {@link #reviveIgnoringDependencies}.
   */
  public void revive(UUID id) {
    node.operatorCommands.revive(id);
    loops.wake();
  }

  /** Runs a failed or canceled task again, whatever the tasks that it depends on do. */
  public void reviveIgnoringDependencies(UUID id) {
    node.operatorCommands.reviveIgnoringDependencies(id);
    loops.wake();
  }

  /**
   * Marks a failed task as succeeded, so that the tasks that depend on it go on.
   *
   * @param result the result that they get; null for none
   * @param reason why, for the history
   */
  public void resolve(UUID id, @Nullable Object result, String reason) {
    NewTask.requireText("reason", reason, FailureConverter.MAX_MESSAGE_CHARACTERS);
    String json = result == null ? null : node.submitter.payloadCodec().write("result", result);
    node.operatorCommands.resolve(id, json, reason);
  }

  /** Reads batches and what their tasks depend on. */
  public BatchReader batches() {
    return node.store.batches();
  }

  /** Reads limits, and changes those of tasks. */
  public EngineLimits limits() {
    return new EngineLimits(node.store, loops::wake);
  }

  /** Reads and changes schedules. */
  public EngineSchedules schedules() {
    return new EngineSchedules(node, loops::wake);
  }

  /** Declares a schedule: {@link #start()} creates it, or changes it; a paused one stays paused. */
  public void schedule(String name, Trigger trigger, NewTask task, ScheduleOptions options) {
    schedule(name, trigger, Batch.of(task), options);
  }

  /** The same for several tasks that are submitted together. */
  public void schedule(String name, Trigger trigger, Batch batch, ScheduleOptions options) {
    loops.requireNotStarted();
    node.scheduler.declare(schedules(), name, trigger, batch, options);
  }

  /**
   * Runs the whole batch again, as a new run with new tasks.
   *
   * @return the number of the new run
   * @throws IllegalStateException when a task of the batch has not ended
   */
  public int runBatchAgain(UUID batch) {
    return runBatchAgain(batch, node.batchRetrier.currentRun(batch));
  }

  /** The same, if the batch is at this run. Repeating it does not start a second new run. */
  public int runBatchAgain(UUID batch, int currentRun) {
    int run = node.batchRetrier.runAgain(batch, currentRun);
    loops.wake();
    return run;
  }

  /**
   * Cancels every task of the batch that has not ended, children before their parents. Repeating it
   * is harmless.
   */
  public BatchStopResult stopBatch(UUID batch) {
    BatchStopResult result = node.batchStopper.stop(batch);
    loops.wake(); // Canceled tasks may run on other nodes, which learn of it this way.
    return result;
  }

  /**
   * Applies the command to each of these tasks that it can change and that does not change
   * meanwhile. Each task is read whole, so pass a few hundred at a time.
   *
   * @param retryAt when to retry these tasks; the others are retried now
   * @return the number of changed tasks
   */
  public int bulk(BulkCommand command, List<TaskRow> rows, Map<UUID, Instant> retryAt) {
    int changed = node.bulkCommands.apply(command, rows, retryAt);
    loops.wake();
    return changed;
  }

  /** The tasks that {@link #bulk} would change. */
  public List<TaskRow> bulkDryRun(BulkCommand command, List<TaskRow> rows) {
    return node.bulkCommands.applicable(command, rows);
  }

  /** True while this node may claim and run tasks: it renewed its lease in time. */
  public boolean isAlive() {
    return node.leaseKeeper.activeNode() != null;
  }

  /** Work outside this process: remote workers, and callees that took over an attempt. */
  public RemoteWork remote() {
    return loops.remote();
  }

  /**
   * Stops the engine. It claims nothing more, lets handlers and senders finish within the limit,
   * interrupts the others and hands their attempts back, and writes all results. When handlers
   * ignore their interrupt or the store hangs, it takes up to half a minute longer, never more. An
   * interrupt of the caller ends the wait for the handlers only. A second caller waits for the
   * first.
   *
   * @return true when every handler finished by itself
   */
  public boolean stop(Duration limit) {
    try {
      return loops.stop(limit);
    } finally {
      stopped.countDown();
    }
  }

  /** Waits until another thread has stopped the engine. */
  public void awaitStop() throws InterruptedException {
    stopped.await();
  }

  /** Stops with ten seconds for the handlers; see {@link #stop}. */
  @Override
  public void close() {
    stop(STOP_LIMIT);
  }
}
