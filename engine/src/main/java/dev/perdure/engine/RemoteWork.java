// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.store.Addition;
import dev.perdure.engine.store.Claimed;
import dev.perdure.engine.store.Lease;
import dev.perdure.engine.store.Revision;
import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptNote;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Tally;
import dev.perdure.engine.task.Task;
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
 * <p>Whoever speaks for an attempt says by what {@link Right}. What comes too late changes nothing
 * and is told so by a {@link TooLateException}; of a task that is not there a
 * NoSuchElementException tells.
 */
public final class RemoteWork {

  private static final int MOST_TRIES = 20;
  private static final int MOST_RECORDS = 1_000;

  /** Leases are renewed on the same connections, and must not wait for those who look for work. */
  private static final int MOST_CLAIMS_AT_ONCE = 2;

  private static final int PORTION = 25;
  private static final long ENOUGH_CHARACTERS = 8L << 20;

  private final Node node;
  private final Runnable wake;
  private final ClaimLines lines;
  private final DatabaseTime time;
  private final Tallier tallier;
  private final Gatherer<Change, Verdict> settling;
  private final Semaphore claims = new Semaphore(MOST_CLAIMS_AT_ONCE, true);

  /**
   * @param wake tells everybody that there may be work
   */
  RemoteWork(Node node, Runnable wake) {
    this.node = node;
    this.wake = wake;
    this.lines =
        new ClaimLines(node.monotonic, node.settings.poll(), node.settings.waitingWorkers());
    this.time = new DatabaseTime(node.store, node.monotonic);
    this.tallier = new Tallier(node.store, node.workers);
    this.settling = new Gatherer<>("settle-remote", node.workers, Duration.ZERO, node.store::apply);
  }

  /**
   * Takes what is due and starts it. Waits while there is nothing, if that was asked for, without
   * holding anything but the caller's thread; when the engine stops, it answers at once.
   *
   * @param gone says that nobody waits for the answer any more: then nothing is taken for him
   * @throws BusyException when too many wait already and there is nothing to do
   */
  public Claimed claim(RemoteClaim asked, BooleanSupplier gone) {
    return lines.claim(asked.kinds(), asked.patience(), gone, () -> claimNow(asked));
  }

  /** The same for somebody who waits for the answer until the end. */
  public Claimed claim(RemoteClaim asked) {
    return claim(asked, () -> false);
  }

  /** Nobody got these: the attempts run elsewhere, and it is no loss. */
  public void handBack(List<Lease> leases) {
    List<Task> tasks = leases.stream().map(Lease::task).toList();
    int handed =
        node.changes.write(
            tasks, (task, now) -> node.lifecycle.settle(task, new Outcome.HandedBack(), now));
    if (handed > 0) {
      wake.run();
    }
  }

  private Claimed claimNow(RemoteClaim asked) {
    claims.acquireUninterruptibly();
    try {
      return inPortions(asked);
    } catch (StoreException problem) {
      node.listener.onStoreError("claim", problem);
      throw problem;
    } finally {
      claims.release();
    }
  }

  /**
   * A thousand tasks may be gigabytes. Nobody knows before how long they are, so few are taken at a
   * time, and no more once they are long enough together: the rest is left to the next claim.
   */
  private Claimed inPortions(RemoteClaim asked) {
    Claimed claimed = portion(asked, Math.min(asked.limit(), PORTION));
    List<Lease> leases = new ArrayList<>(claimed.leases());
    int last = leases.size();
    while (last == PORTION && leases.size() < asked.limit() && length(leases) < ENOUGH_CHARACTERS) {
      List<Lease> more = further(asked, Math.min(asked.limit() - leases.size(), PORTION));
      leases.addAll(more);
      last = more.size();
    }
    return new Claimed(leases, claimed.now(), claimed.nextDue());
  }

  /** What was taken before must reach its worker, whatever happens now. */
  private List<Lease> further(RemoteClaim asked, int limit) {
    try {
      return portion(asked, limit).leases();
    } catch (StoreException problem) {
      node.listener.onStoreError("claim", problem);
      return List.of();
    }
  }

  private Claimed portion(RemoteClaim asked, int limit) {
    Duration before = node.monotonic.now();
    Claimed claimed = node.store.claim(asked.request(limit));
    time.learn(claimed.now());
    node.listener.onClaimAnswered(claimed.leases().size(), node.monotonic.now().minus(before));
    claimed.leases().forEach(lease -> node.listener.onStarted(lease, claimed.now()));
    return claimed;
  }

  private static long length(List<Lease> leases) {
    return leases.stream()
        .map(lease -> lease.task().definition())
        .mapToLong(task -> task.payload().length() + String.valueOf(task.actions()).length())
        .sum();
  }

  /** The parent of what the worker of this attempt does, in the trace that all attempts share. */
  public TraceContext traceParent(Task task) {
    return node.settings.tracer().attempt(task);
  }

  /** There may be something to claim. */
  void ring() {
    lines.ring();
  }

  /** Answers every claim that waits, and lets none wait any more: the process is about to stop. */
  public void stopWaiting() {
    lines.stop();
  }

  /**
   * The attempt is alive: its lease lasts at least so long from now.
   *
   * @return until when at least, by the database's clock
   */
  public Instant heartbeat(UUID id, Right right, Duration lease) {
    RemoteClaim.requireLease(lease);
    Instant now = time.now();
    add(id, right, 0, 0, lease);
    return now.plus(lease);
  }

  /**
   * Adds to the counters of the attempt, and is a sign of life. Durable when it returns.
   *
   * @throws CounterOverflowException when a counter would pass the largest number
   */
  public void add(UUID id, Right right, long success, long failures) {
    add(id, right, success, failures, RemoteClaim.USUAL_LEASE);
  }

  private void add(UUID id, Right right, long success, long failures, Duration lease) {
    LeaseKey key = key(id, right);
    Verdict verdict = tallier.add(new Addition(key, success, failures, lease));
    if (!verdict.applied()) {
      node.listener.onStale(key);
      throw tooLate(id, right, verdict);
    }
  }

  /** Who was given the epoch need not ask for it. */
  private LeaseKey key(UUID id, Right right) {
    if (right instanceof Right.OfLease lease) {
      return new LeaseKey(id, lease.epoch());
    }
    Task task = node.operator.task(id);
    if (!right.covers(task)) {
      throw tooLate(task, right);
    }
    return task.lease();
  }

  /**
   * Changes what is said of a task that has not ended: an operator in any live state, others while
   * their attempt is under way.
   */
  public void revise(
      UUID id,
      Right right,
      @Nullable Integer priority,
      @Nullable Long expected,
      @Nullable String metadata) {
    Long epoch = right instanceof Right.OfOperator ? null : (Long) key(id, right).epoch();
    Verdict verdict =
        node.store.figures().revise(new Revision(id, epoch, priority, expected, metadata));
    if (!verdict.applied()) {
      throw tooLate(id, right, verdict);
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
  public Task settle(UUID id, Right right, Outcome outcome) {
    return settle(id, right, outcome, Tally.NONE);
  }

  /**
   * Ends the attempt, and adds to its counters in the same write: repeated, it adds nothing.
   *
   * @throws CounterOverflowException when a counter would pass the largest number; then the attempt
   *     has not ended
   * @throws BusyException when others change the task all the time
   */
  public Task settle(UUID id, Right right, Outcome outcome, Tally tally) {
    Outcome stored = Outcomes.storable(outcome);
    for (int i = 0; i < MOST_TRIES; i++) {
      Task task = node.operator.task(id);
      if (!right.covers(task)) {
        return confirmed(task, right, stored);
      }
      if (!tally.fitsOn(task.progress())) {
        throw new CounterOverflowException(id);
      }
      Instant now = time.now();
      Change change = node.lifecycle.settle(task, stored, tally, now);
      if (settling.write(change).applied()) {
        node.changes.told(task, change, now);
        if (change.to().isClaimable()) {
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
      return node.operator.task(id);
    } catch (StoreException unreadable) {
      throw new StoreException(
          "the attempt is settled, but task %s cannot be read".formatted(id),
          unreadable,
          StoreException.Sort.UNKNOWN);
    }
  }

  private Task confirmed(Task task, Right right, Outcome outcome) {
    // Each epoch has one record at most; none that is older can be the one.
    int newest = Math.clamp(task.epoch() - right.since(task) + 1, 1, MOST_RECORDS);
    List<Attempt> attempts = node.store.reader().attempts(task.id(), newest);
    AttemptNote recorded = right.recorded(task, attempts).map(Attempt::note).orElse(null);
    if (recorded != null && Outcomes.isSame(recorded, outcome)) {
      return task;
    }
    node.listener.onStale(task.lease());
    throw recorded == null
        ? tooLate(task, right)
        : new TooLateException(
            task.id(),
            task.state(),
            task.epoch(),
            "the attempt of %s has ended otherwise: %s"
                .formatted(right, Outcomes.described(recorded)));
  }

  private TooLateException tooLate(UUID id, Right right, Verdict verdict) {
    if (verdict.state() == null) {
      throw new NoSuchElementException("there is no task " + id);
    }
    TaskState state = Objects.requireNonNull(verdict.state());
    return new TooLateException(id, state, verdict.epoch(), why(right, state));
  }

  private static TooLateException tooLate(Task task, Right right) {
    return new TooLateException(task.id(), task.state(), task.epoch(), why(right, task.state()));
  }

  private static String why(Right right, TaskState state) {
    return right instanceof Right.OfOperator || !state.isHeld()
        ? "no attempt is under way"
        : right + " is not the one under way";
  }
}
