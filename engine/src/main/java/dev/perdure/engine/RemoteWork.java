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
 * Attempts that run outside this process: claimed remotely or handed off, kept alive by heartbeats,
 * and settled. Thread-safe.
 *
 * <p>Callers prove with an {@link AttemptCredential} that they may report on an attempt. A report
 * that comes too late changes nothing and throws {@link StaleAttemptException}; an unknown task
 * throws NoSuchElementException.
 */
public final class RemoteWork {

  private static final int MAX_TRIES = 20;
  private static final int MAX_RECORDS = 1_000;

  /** Nodes renew their leases on the same connections, and must not wait for remote claims. */
  private static final int MAX_CONCURRENT_CLAIMS = 2;

  private static final int CLAIM_BATCH_SIZE = 25;
  private static final long MAX_CLAIM_CHARACTERS = 8L << 20;

  private final NodeComponents node;
  private final Runnable wake;
  private final ClaimLongPoller longPoller;
  private final DatabaseClock databaseClock;
  private final ProgressBatcher progressBatcher;
  private final WriteBatcher<TaskChange, WriteResult> settlementBatcher;
  private final Semaphore claimPermits = new Semaphore(MAX_CONCURRENT_CLAIMS, true);

  /**
   * @param wake tells all nodes that there may be work
   */
  RemoteWork(NodeComponents node, Runnable wake) {
    this.node = node;
    this.wake = wake;
    this.longPoller =
        new ClaimLongPoller(
            node.monotonic, node.settings.pollInterval(), node.settings.maxWaitingWorkers());
    this.databaseClock = node.databaseClock;
    this.progressBatcher = new ProgressBatcher(node.store, node.executor);
    this.settlementBatcher =
        new WriteBatcher<>("settle-remote", node.executor, Duration.ZERO, node.applier::apply);
  }

  /**
   * Claims due tasks and starts them. If the claim asks for it, waits while there are none, holding
   * nothing but the caller's thread; when the engine stops, it returns at once.
   *
   * @param disconnected true when the caller no longer waits for the answer; then nothing is
   *     claimed for it
   * @throws BusyException when too many workers wait already and there are no tasks
   */
  public ClaimResult claim(RemoteClaim request, BooleanSupplier disconnected) {
    return longPoller.claim(
        request.kinds(), request.maxWait(), disconnected, () -> claimNow(request));
  }

  /** Claims for a caller that waits for the answer in any case. */
  public ClaimResult claim(RemoteClaim request) {
    return claim(request, () -> false);
  }

  /** Hands back leases that did not reach their worker; it does not count as a loss. */
  public void handBack(List<Lease> leases) {
    List<Task> tasks = leases.stream().map(Lease::task).toList();
    int handedBack =
        node.changeWriter.write(
            tasks, (task, now) -> node.lifecycle.settle(task, new Outcome.HandedBack(), now));
    if (handedBack > 0) {
      wake.run();
    }
  }

  private ClaimResult claimNow(RemoteClaim request) {
    claimPermits.acquireUninterruptibly();
    try {
      return claimInBatches(request);
    } catch (StoreException problem) {
      node.listener.onStoreError("claim", problem);
      throw problem;
    } finally {
      claimPermits.release();
    }
  }

  /**
   * Claims small batches until their payloads and actions reach {@link #MAX_CLAIM_CHARACTERS}. The
   * sizes are not known before the claim, and a thousand tasks can have gigabytes. The rest is left
   * to the next claim.
   */
  private ClaimResult claimInBatches(RemoteClaim request) {
    ClaimResult result = claimBatch(request, Math.min(request.limit(), CLAIM_BATCH_SIZE));
    List<Lease> leases = new ArrayList<>(result.leases());
    int last = leases.size();
    while (last == CLAIM_BATCH_SIZE
        && leases.size() < request.limit()
        && length(leases) < MAX_CLAIM_CHARACTERS) {
      List<Lease> more =
          claimMore(request, Math.min(request.limit() - leases.size(), CLAIM_BATCH_SIZE));
      leases.addAll(more);
      last = more.size();
    }
    return new ClaimResult(leases, result.now(), result.nextDue());
  }

  /** The tasks that were claimed before must reach their worker, whatever happens now. */
  private List<Lease> claimMore(RemoteClaim request, int limit) {
    try {
      return claimBatch(request, limit).leases();
    } catch (StoreException problem) {
      node.listener.onStoreError("claim", problem);
      return List.of();
    }
  }

  private ClaimResult claimBatch(RemoteClaim request, int limit) {
    node.remoteKinds.add(request.kinds());
    Duration before = node.monotonic.now();
    ClaimResult result = node.store.claim(request.toClaimRequest(limit));
    databaseClock.observe(result.now());
    node.listener.onClaimed(result.leases().size(), node.monotonic.now().minus(before));
    result.leases().forEach(lease -> node.listener.onStarted(lease, result.now()));
    return result;
  }

  private static long length(List<Lease> leases) {
    return leases.stream()
        .map(lease -> lease.task().definition())
        .mapToLong(task -> task.payload().length() + String.valueOf(task.actions()).length())
        .sum();
  }

  /** The trace context for the worker of this attempt, in the trace that all attempts share. */
  public TraceContext traceParent(Task task) {
    return node.settings.tracer().attemptParent(task);
  }

  /** There may be tasks to claim. */
  void wake() {
    longPoller.wake();
  }

  /** Answers every waiting claim, and lets no other wait: the process is about to stop. */
  public void stopLongPolls() {
    longPoller.stop();
  }

  /**
   * Records that the attempt is alive: its lease lasts at least this long from now.
   *
   * @return until when at least, by the database's clock
   */
  public Instant heartbeat(UUID id, AttemptCredential credential, Duration lease) {
    RemoteClaim.requireLease(lease);
    Instant now = databaseClock.now();
    addProgress(id, credential, 0, 0, lease);
    return now.plus(lease);
  }

  /**
   * Adds to the counters of the attempt; counts as a heartbeat. Durable when it returns.
   *
   * @throws CounterOverflowException when a counter would overflow
   */
  public void addProgress(UUID id, AttemptCredential credential, long success, long failures) {
    addProgress(id, credential, success, failures, RemoteClaim.DEFAULT_LEASE);
  }

  private void addProgress(
      UUID id, AttemptCredential credential, long success, long failures, Duration lease) {
    LeaseKey key = leaseOf(id, credential);
    WriteResult result = progressBatcher.add(new ProgressReport(key, success, failures, lease));
    if (!result.applied()) {
      node.listener.onStaleWrite(key);
      throw stale(id, credential, result);
    }
  }

  /** A credential with an epoch needs no read. */
  private LeaseKey leaseOf(UUID id, AttemptCredential credential) {
    if (credential instanceof AttemptCredential.LeaseCredential lease) {
      return new LeaseKey(id, lease.epoch());
    }
    Task task = node.operatorCommands.requireTask(id);
    if (!credential.matches(task)) {
      throw stale(task, credential);
    }
    return task.lease();
  }

  /**
   * Updates fields of a task that has not ended. An operator may do so in any live state, others
   * while their attempt is running.
   */
  public void update(
      UUID id,
      AttemptCredential credential,
      @Nullable Integer priority,
      @Nullable Long expected,
      @Nullable String metadata) {
    Long epoch =
        credential instanceof AttemptCredential.OperatorCredential
            ? null
            : (Long) leaseOf(id, credential).epoch();
    WriteResult result = node.store.update(new TaskUpdate(id, epoch, priority, expected, metadata));
    if (!result.applied()) {
      throw stale(id, credential, result);
    }
    if (priority != null) {
      wake.run();
    }
  }

  /**
   * Ends the attempt. Repeating it with the same outcome changes nothing and is confirmed, even
   * when the messages differ.
   *
   * @return the task afterwards
   */
  public Task settle(UUID id, AttemptCredential credential, Outcome outcome) {
    return settle(id, credential, outcome, CounterDelta.NONE);
  }

  /**
   * Ends the attempt and adds to its counters in the same write; a repetition adds nothing.
   *
   * @throws CounterOverflowException when a counter would overflow; then the attempt has not ended
   * @throws BusyException when others change the task all the time
   */
  public Task settle(
      UUID id, AttemptCredential credential, Outcome outcome, CounterDelta counterDelta) {
    Outcome truncated = OutcomeComparison.truncated(outcome);
    for (int i = 0; i < MAX_TRIES; i++) {
      Task task = node.operatorCommands.requireTask(id);
      if (!credential.matches(task)) {
        return confirmRepeated(task, credential, truncated);
      }
      if (!counterDelta.fitsOn(task.progress())) {
        throw new CounterOverflowException(id);
      }
      Instant now = databaseClock.now();
      TaskChange change = node.lifecycle.settle(task, truncated, counterDelta, now);
      if (settlementBatcher.write(change).applied()) {
        node.changeWriter.afterWrite(task, change, now);
        if (change.to().isClaimable()) {
          wake.run();
        }
        return readBack(id);
      }
    }
    throw new BusyException("task %s keeps changing; try again".formatted(id));
  }

  /** Reads the task after its end was written. An error must not say that it was not written. */
  private Task readBack(UUID id) {
    try {
      return node.operatorCommands.requireTask(id);
    } catch (StoreException unreadable) {
      throw new StoreException(
          "the attempt is settled, but task %s cannot be read back".formatted(id),
          unreadable,
          StoreException.ErrorKind.UNKNOWN);
    }
  }

  private Task confirmRepeated(Task task, AttemptCredential credential, Outcome outcome) {
    // Each epoch has at most one record, so older records cannot be the one.
    int newest = Math.clamp(task.epoch() - credential.firstEpoch(task) + 1, 1, MAX_RECORDS);
    List<Attempt> attempts = node.store.reader().attempts(task.id(), newest);
    AttemptDetails recorded =
        credential.endedAttempt(task, attempts).map(Attempt::details).orElse(null);
    if (recorded != null && OutcomeComparison.matches(recorded, outcome)) {
      return task;
    }
    node.listener.onStaleWrite(task.lease());
    throw recorded == null
        ? stale(task, credential)
        : new StaleAttemptException(
            task.id(),
            task.state(),
            task.epoch(),
            "the attempt of %s ended differently: %s"
                .formatted(credential, OutcomeComparison.describe(recorded)));
  }

  private StaleAttemptException stale(UUID id, AttemptCredential credential, WriteResult result) {
    if (result.state() == null) {
      throw new NoSuchElementException("there is no task " + id);
    }
    TaskState state = Objects.requireNonNull(result.state());
    return new StaleAttemptException(id, state, result.epoch(), why(credential, state));
  }

  private static StaleAttemptException stale(Task task, AttemptCredential credential) {
    return new StaleAttemptException(
        task.id(), task.state(), task.epoch(), why(credential, task.state()));
  }

  private static String why(AttemptCredential credential, TaskState state) {
    return credential instanceof AttemptCredential.OperatorCredential || !state.isLeased()
        ? "no attempt is running"
        : credential + " is not the current one";
  }
}
