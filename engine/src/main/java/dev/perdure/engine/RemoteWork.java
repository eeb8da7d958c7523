// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.spi.ProgressReport;
import dev.perdure.engine.spi.TaskUpdate;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.CounterDelta;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.TraceContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Work that is done elsewhere: claimed from outside, kept alive, and settled. Safe to share.
 *
 * <p>Whoever speaks for an attempt says by what {@link AttemptCredential}. What comes too late
 * changes nothing and is told so by a {@link StaleAttemptException}; of a task that is not there a
 * NoSuchElementException tells.
 */
public final class RemoteWork {

  private static final int MAX_TRIES = 20;
  private static final int MAX_RECORDS = 1_000;

  /** Leases are renewed on the same connections, and must not wait for those who look for work. */
  private static final int MAX_CONCURRENT_CLAIMS = 2;

  private static final int CLAIM_BATCH_SIZE = 25;
  private static final long MAX_CLAIM_CHARACTERS = 8L << 20;

  private final NodeComponents nodeComponents;
  private final Runnable wake;
  private final ClaimLongPoller longPoller;
  private final DatabaseClock databaseClock;
  private final ProgressBatcher progressBatcher;
  private final WriteBatcher<TaskChange, WriteResult> settlementBatcher;
  private final Semaphore claimPermits = new Semaphore(MAX_CONCURRENT_CLAIMS, true);

  /**
   * @param wake tells everybody that there may be work
   */
  RemoteWork(NodeComponents nodeComponents, Runnable wake) {
    this.nodeComponents = nodeComponents;
    this.wake = wake;
    this.longPoller =
        new ClaimLongPoller(
            nodeComponents.monotonic,
            nodeComponents.settings.pollInterval(),
            nodeComponents.settings.maxWaitingWorkers());
    this.databaseClock = new DatabaseClock(nodeComponents.store, nodeComponents.monotonic);
    this.progressBatcher = new ProgressBatcher(nodeComponents.store, nodeComponents.executor);
    this.settlementBatcher =
        new WriteBatcher<>(
            "settle-remote", nodeComponents.executor, Duration.ZERO, nodeComponents.store::apply);
  }

  /**
   * Takes what is due and starts it. Waits while there is nothing, if that was asked for, without
   * holding anything but the caller's thread; when the engine stops, it answers at once.
   *
   * @param gone says that nobody waits for the answer any more: then nothing is taken for him
   * @throws BusyException when too many wait already and there is nothing to do
   */
  public ClaimResult claim(RemoteClaim asked, BooleanSupplier gone) {
    return longPoller.claim(asked.kinds(), asked.maxWait(), gone, () -> claimNow(asked));
  }

  /** The same for somebody who waits for the answer until the end. */
  public ClaimResult claim(RemoteClaim asked) {
    return claim(asked, () -> false);
  }

  /** Nobody got these: the attempts run elsewhere, and it is no loss. */
  public void handBack(List<Lease> leases) {
    List<Task> tasks = leases.stream().map(Lease::task).toList();
    int handed =
        nodeComponents.changeWriter.write(
            tasks,
            (task, now) -> nodeComponents.lifecycle.settle(task, new Outcome.HandedBack(), now));
    if (handed > 0) {
      wake.run();
    }
  }

  private ClaimResult claimNow(RemoteClaim asked) {
    claimPermits.acquireUninterruptibly();
    try {
      return claimInBatches(asked);
    } catch (StoreException problem) {
      nodeComponents.listener.onStoreError("claim", problem);
      throw problem;
    } finally {
      claimPermits.release();
    }
  }

  /**
   * A thousand tasks may be gigabytes. Nobody knows before how long they are, so few are taken at a
   * time, and no more once they are long enough together: the rest is left to the next claim.
   */
  private ClaimResult claimInBatches(RemoteClaim asked) {
    ClaimResult claimResult = claimBatch(asked, Math.min(asked.limit(), CLAIM_BATCH_SIZE));
    List<Lease> leases = new ArrayList<>(claimResult.leases());
    int last = leases.size();
    while (last == CLAIM_BATCH_SIZE
        && leases.size() < asked.limit()
        && length(leases) < MAX_CLAIM_CHARACTERS) {
      List<Lease> more =
          claimMore(asked, Math.min(asked.limit() - leases.size(), CLAIM_BATCH_SIZE));
      leases.addAll(more);
      last = more.size();
    }
    return new ClaimResult(leases, claimResult.now(), claimResult.nextDue());
  }

  /** What was taken before must reach its worker, whatever happens now. */
  private List<Lease> claimMore(RemoteClaim asked, int limit) {
    try {
      return claimBatch(asked, limit).leases();
    } catch (StoreException problem) {
      nodeComponents.listener.onStoreError("claim", problem);
      return List.of();
    }
  }

  private ClaimResult claimBatch(RemoteClaim asked, int limit) {
    Duration before = nodeComponents.monotonic.now();
    ClaimResult claimResult = nodeComponents.store.claim(asked.toClaimRequest(limit));
    databaseClock.observe(claimResult.now());
    nodeComponents.listener.onClaimed(
        claimResult.leases().size(), nodeComponents.monotonic.now().minus(before));
    claimResult
        .leases()
        .forEach(lease -> nodeComponents.listener.onStarted(lease, claimResult.now()));
    return claimResult;
  }

  private static long length(List<Lease> leases) {
    return leases.stream()
        .map(lease -> lease.task().definition())
        .mapToLong(task -> task.payload().length() + String.valueOf(task.actions()).length())
        .sum();
  }

  /** The parent of what the worker of this attempt does, in the trace that all attempts share. */
  public TraceContext traceParent(Task task) {
    return nodeComponents.settings.tracer().attemptParent(task);
  }

  /** There may be something to claim. */
  void wake() {
    longPoller.wake();
  }

  /** Answers every claim that waits, and lets none wait any more: the process is about to stop. */
  public void stopLongPolls() {
    longPoller.stop();
  }

  /**
   * The attempt is alive: its lease lasts at least so long from now.
   *
   * @return until when at least, by the database's clock
   */
  public Instant heartbeat(UUID id, AttemptCredential attemptCredential, Duration lease) {
    RemoteClaim.requireLease(lease);
    Instant now = databaseClock.now();
    addProgress(id, attemptCredential, 0, 0, lease);
    return now.plus(lease);
  }

  /**
   * Adds to the counters of the attempt, and is a sign of life. Durable when it returns.
   *
   * @throws CounterOverflowException when a counter would pass the largest number
   */
  public void addProgress(
      UUID id, AttemptCredential attemptCredential, long success, long failures) {
    addProgress(id, attemptCredential, success, failures, RemoteClaim.DEFAULT_LEASE);
  }

  private void addProgress(
      UUID id, AttemptCredential attemptCredential, long success, long failures, Duration lease) {
    LeaseKey key = leaseOf(id, attemptCredential);
    WriteResult writeResult =
        progressBatcher.add(new ProgressReport(key, success, failures, lease));
    if (!writeResult.applied()) {
      nodeComponents.listener.onStaleWrite(key);
      throw stale(id, attemptCredential, writeResult);
    }
  }

  /** Who was given the epoch need not ask for it. */
  private LeaseKey leaseOf(UUID id, AttemptCredential attemptCredential) {
    if (attemptCredential instanceof AttemptCredential.LeaseCredential lease) {
      return new LeaseKey(id, lease.epoch());
    }
    Task task = nodeComponents.operatorCommands.requireTask(id);
    if (!attemptCredential.matches(task)) {
      throw stale(task, attemptCredential);
    }
    return task.lease();
  }

  /**
   * Changes what is said of a task that has not ended: an operator in any live state, others while
   * their attempt is under way.
   */
  public void update(
      UUID id,
      AttemptCredential attemptCredential,
      @Nullable Integer priority,
      @Nullable Long expected,
      @Nullable String metadata) {
    Long epoch =
        attemptCredential instanceof AttemptCredential.OperatorCredential
            ? null
            : (Long) leaseOf(id, attemptCredential).epoch();
    WriteResult writeResult =
        nodeComponents
            .store
            .counters()
            .update(new TaskUpdate(id, epoch, priority, expected, metadata));
    if (!writeResult.applied()) {
      throw stale(id, attemptCredential, writeResult);
    }
    if (priority != null) {
      wake.run();
    }
  }

  /**
   * Ends the attempt. Repeating it with the same outcome changes nothing and is confirmed; what the
   * messages say may differ.
   *
   * @return the task as it stands now
   */
  public Task settle(UUID id, AttemptCredential attemptCredential, Outcome outcome) {
    return settle(id, attemptCredential, outcome, CounterDelta.NONE);
  }

  /**
   * Ends the attempt, and adds to its counters in the same write: repeated, it adds nothing.
   *
   * @throws CounterOverflowException when a counter would pass the largest number; then the attempt
   *     has not ended
   * @throws BusyException when others change the task all the time
   */
  public Task settle(
      UUID id, AttemptCredential attemptCredential, Outcome outcome, CounterDelta counterDelta) {
    Outcome stored = Outcomes.truncated(outcome);
    for (int i = 0; i < MAX_TRIES; i++) {
      Task task = nodeComponents.operatorCommands.requireTask(id);
      if (!attemptCredential.matches(task)) {
        return confirmRepeated(task, attemptCredential, stored);
      }
      if (!counterDelta.fitsOn(task.progress())) {
        throw new CounterOverflowException(id);
      }
      Instant now = databaseClock.now();
      TaskChange taskChange = nodeComponents.lifecycle.settle(task, stored, counterDelta, now);
      if (settlementBatcher.write(taskChange).applied()) {
        nodeComponents.changeWriter.afterWrite(task, taskChange, now);
        if (taskChange.to().isClaimable()) {
          wake.run();
        }
        return readBack(id);
      }
    }
    throw new BusyException("task %s changes too fast to be settled".formatted(id));
  }

  /** The end is written; thrown on as it is, trouble with reading would say that it was not. */
  private Task readBack(UUID id) {
    try {
      return nodeComponents.operatorCommands.requireTask(id);
    } catch (StoreException unreadable) {
      throw new StoreException(
          "the attempt is settled, but task %s cannot be read".formatted(id),
          unreadable,
          StoreException.ErrorKind.UNKNOWN);
    }
  }

  private Task confirmRepeated(Task task, AttemptCredential attemptCredential, Outcome outcome) {
    // Each epoch has one record at most; none that is older can be the one.
    int newest = Math.clamp(task.epoch() - attemptCredential.firstEpoch(task) + 1, 1, MAX_RECORDS);
    List<Attempt> attempts = nodeComponents.store.reader().attempts(task.id(), newest);
    AttemptDetails recorded =
        attemptCredential.endedAttempt(task, attempts).map(Attempt::details).orElse(null);
    if (recorded != null && Outcomes.matches(recorded, outcome)) {
      return task;
    }
    nodeComponents.listener.onStaleWrite(task.lease());
    throw recorded == null
        ? stale(task, attemptCredential)
        : new StaleAttemptException(
            task.id(),
            task.state(),
            task.epoch(),
            "the attempt of %s has ended otherwise: %s"
                .formatted(attemptCredential, Outcomes.describe(recorded)));
  }

  private StaleAttemptException stale(
      UUID id, AttemptCredential attemptCredential, WriteResult writeResult) {
    if (writeResult.state() == null) {
      throw new NoSuchElementException("there is no task " + id);
    }
    TaskState state = Objects.requireNonNull(writeResult.state());
    return new StaleAttemptException(id, state, writeResult.epoch(), why(attemptCredential, state));
  }

  private static StaleAttemptException stale(Task task, AttemptCredential attemptCredential) {
    return new StaleAttemptException(
        task.id(), task.state(), task.epoch(), why(attemptCredential, task.state()));
  }

  private static String why(AttemptCredential attemptCredential, TaskState state) {
    return attemptCredential instanceof AttemptCredential.OperatorCredential || !state.isLeased()
        ? "no attempt is under way"
        : attemptCredential + " is not the one under way";
  }
}
