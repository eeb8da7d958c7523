// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static java.util.Objects.requireNonNullElse;

import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.TaskDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Group commit for small submissions of one shard. A caller that gets a permit writes all waiting
 * submissions, including those of other callers. A single submission is written alone and at once;
 * while one group is committed, the next one forms in the queue.
 *
 * <p>If the database rejects a group, its submissions are written one by one, so that only the
 * faulty one fails.
 */
final class SubmissionBatcher {

  /** One group can be written while another one is committed. */
  private static final int MAX_CONCURRENT_WRITES = 2;

  private static final int MAX_TASKS = 500;
  private static final int MAX_CHARACTERS = 1_000_000;

  private final Consumer<List<Submission>> write;
  private final Duration timeout;
  private final Semaphore permits = new Semaphore(MAX_CONCURRENT_WRITES);
  private final Queue<PendingSubmission> waiting = new ConcurrentLinkedQueue<>();

  /**
   * @param write stores submissions, all or none; must be idempotent
   * @param timeout how long a submission may wait until its write starts
   */
  SubmissionBatcher(Consumer<List<Submission>> write, Duration timeout) {
    this.write = write;
    this.timeout = timeout;
  }

  /** Returns when the submission is durable. */
  void submit(Submission submission) {
    PendingSubmission pending = new PendingSubmission(submission, Thread.currentThread());
    waiting.add(pending);
    pending.deferInterrupt();
    long start = System.nanoTime();
    while (!pending.done) {
      if (permits.tryAcquire()) {
        writeWaiting(pending);
      }
      if (!pending.done) {
        await(pending, timeout.toNanos() - (System.nanoTime() - start));
        pending.deferInterrupt();
      }
    }
    pending.rethrowFailure();
  }

  /** Writes waiting submissions until this one is written, by this caller or another one. */
  private void writeWaiting(PendingSubmission own) {
    try {
      List<PendingSubmission> group = nextGroup();
      while (!group.isEmpty()) {
        write(group, own);
        group = own.done ? List.of() : nextGroup();
      }
    } finally {
      permits.release();
      unparkFirst();
    }
  }

  /** A caller that found no free permit is parked and must be woken. */
  private void unparkFirst() {
    PendingSubmission first = waiting.peek();
    if (first != null) {
      LockSupport.unpark(first.caller);
    }
  }

  private void await(PendingSubmission pending, long left) {
    if (left > 0) {
      LockSupport.parkNanos(this, left);
    } else if (waiting.remove(pending)) {
      unparkFirst(); // this caller may have been the one that was woken
      pending.complete(
          new StoreException(
              "submit failed: its write did not start within " + timeout,
              null,
              StoreException.ErrorKind.UNAVAILABLE));
    } else {
      // Another caller is writing it, with its own timeout.
      LockSupport.parkNanos(this, timeout.toNanos());
    }
  }

  private List<PendingSubmission> nextGroup() {
    List<PendingSubmission> group = new ArrayList<>();
    int tasks = 0;
    long characters = 0;
    while (tasks < MAX_TASKS && characters < MAX_CHARACTERS) {
      PendingSubmission pending = waiting.poll();
      if (pending == null) {
        break;
      }
      group.add(pending);
      tasks += pending.submission.tasks().size();
      characters += pending.characters();
    }
    return group;
  }

  /**
   * Writes a group. An interrupt of this caller must not affect the others, so the write is
   * repeated once after an interrupt.
   */
  private void write(List<PendingSubmission> group, PendingSubmission own) {
    Throwable failure = tryWrite(group);
    if (failure != null && own.deferInterrupt()) {
      failure = tryWrite(group);
    }
    if (group.size() > 1 && isRefused(failure)) {
      group.forEach(pending -> write(List.of(pending), own));
      return;
    }
    for (PendingSubmission pending : group) {
      pending.complete(failure);
    }
  }

  /** Catches errors too, so that the other callers do not wait forever. */
  private @Nullable Throwable tryWrite(List<PendingSubmission> group) {
    try {
      write.accept(group.stream().map(pending -> pending.submission).toList());
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  private static boolean isRefused(@Nullable Throwable failure) {
    return failure instanceof StoreException e && e.kind() == StoreException.ErrorKind.REFUSED;
  }

  private static final class PendingSubmission {

    private final Submission submission;
    private final Thread caller;
    private boolean interrupted;
    private @Nullable Throwable failure;
    private volatile boolean done;

    PendingSubmission(Submission submission, Thread caller) {
      this.submission = submission;
      this.caller = caller;
    }

    long characters() {
      return submission.tasks().stream()
          .map(NewTaskRow::definition)
          .mapToLong(PendingSubmission::characters)
          .sum();
    }

    private static long characters(TaskDefinition task) {
      return Stream.of(
              task.payload(), task.metadata(), task.policy(), task.policyAsGiven(), task.actions())
          .filter(Objects::nonNull)
          .mapToLong(String::length)
          .sum();
    }

    /**
     * Clears and remembers the caller's interrupt, because this thread also writes for others.
     * Returns true if the caller was interrupted just now.
     */
    boolean deferInterrupt() {
      boolean now = Thread.interrupted();
      interrupted |= now;
      return now;
    }

    void complete(@Nullable Throwable cause) {
      failure = cause;
      done = true;
      // Unparking the writing thread itself would make its next park return at once.
      if (!caller.equals(Thread.currentThread())) {
        LockSupport.unpark(caller);
      }
    }

    /** Throws a new exception, because the failure may be shared with other callers. */
    void rethrowFailure() {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      Throwable found = failure;
      if (found instanceof StoreException e) {
        throw new StoreException(requireNonNullElse(e.getMessage(), "submit failed"), e, e.kind());
      }
      if (found != null) {
        throw new IllegalStateException("submit failed: " + found.getMessage(), found);
      }
    }
  }
}
