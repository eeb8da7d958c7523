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
 * Small submissions of one shard that come at the same time, written together: a caller who finds a
 * place free writes all that wait, the others' too. One that comes alone is written alone and at
 * once; while a commit is made durable, the next group gathers by itself.
 *
 * <p>A group that the database does not take is written one by one, so that only the submission at
 * fault fails.
 */
final class SubmissionBatcher {

  /** While one is committed another is written. */
  private static final int MAX_CONCURRENT_WRITES = 2;

  private static final int MAX_TASKS = 500;
  private static final int MAX_CHARACTERS = 1_000_000;

  private final Consumer<List<Submission>> write;
  private final Duration timeout;
  private final Semaphore permits = new Semaphore(MAX_CONCURRENT_WRITES);
  private final Queue<PendingSubmission> waiting = new ConcurrentLinkedQueue<>();

  /**
   * @param write stores some, all or none; may be done twice
   * @param patience how long one may wait until somebody begins to write it
   */
  SubmissionBatcher(Consumer<List<Submission>> write, Duration patience) {
    this.write = write;
    this.timeout = patience;
  }

  /** Returns when it is durable. */
  void submit(Submission submission) {
    PendingSubmission pendingSubmission = new PendingSubmission(submission, Thread.currentThread());
    waiting.add(pendingSubmission);
    pendingSubmission.deferInterrupt();
    long begin = System.nanoTime();
    while (!pendingSubmission.done) {
      if (permits.tryAcquire()) {
        writeWaiting(pendingSubmission);
      }
      if (!pendingSubmission.done) {
        await(pendingSubmission, timeout.toNanos() - (System.nanoTime() - begin));
        pendingSubmission.deferInterrupt();
      }
    }
    pendingSubmission.rethrowFailure();
  }

  /** Writes what waits until this one is written, by this caller or by another. */
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

  /** Whoever came while no place was free does not look again by himself. */
  private void unparkFirst() {
    PendingSubmission first = waiting.peek();
    if (first != null) {
      LockSupport.unpark(first.caller);
    }
  }

  private void await(PendingSubmission pendingSubmission, long left) {
    if (left > 0) {
      LockSupport.parkNanos(this, left);
    } else if (waiting.remove(pendingSubmission)) {
      unparkFirst(); // it may be this one that was woken
      pendingSubmission.complete(
          new StoreException(
              "submit failed: nothing was written for " + timeout,
              null,
              StoreException.ErrorKind.UNAVAILABLE));
    } else {
      // Somebody writes it, who has a limit of its own.
      LockSupport.parkNanos(this, timeout.toNanos());
    }
  }

  private List<PendingSubmission> nextGroup() {
    List<PendingSubmission> group = new ArrayList<>();
    int tasks = 0;
    long characters = 0;
    while (tasks < MAX_TASKS && characters < MAX_CHARACTERS) {
      PendingSubmission pendingSubmission = waiting.poll();
      if (pendingSubmission == null) {
        break;
      }
      group.add(pendingSubmission);
      tasks += pendingSubmission.submission.tasks().size();
      characters += pendingSubmission.characters();
    }
    return group;
  }

  /** Who interrupts the caller does not mean the others: then it is written once more. */
  private void write(List<PendingSubmission> group, PendingSubmission own) {
    Throwable failure = tryWrite(group);
    if (failure != null && own.deferInterrupt()) {
      failure = tryWrite(group);
    }
    if (group.size() > 1 && isRefused(failure)) {
      group.forEach(pendingSubmission -> write(List.of(pendingSubmission), own));
      return;
    }
    for (PendingSubmission pendingSubmission : group) {
      pendingSubmission.complete(failure);
    }
  }

  /** An Error is told too: the others must not wait for ever. */
  private @Nullable Throwable tryWrite(List<PendingSubmission> group) {
    try {
      write.accept(group.stream().map(pendingSubmission -> pendingSubmission.submission).toList());
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
      return Stream.of(task.payload(), task.metadata(), task.policy(), task.actions())
          .filter(Objects::nonNull)
          .mapToLong(String::length)
          .sum();
    }

    /**
     * What is written here belongs to others too; true when the caller was interrupted just now.
     */
    boolean deferInterrupt() {
      boolean now = Thread.interrupted();
      interrupted |= now;
      return now;
    }

    void complete(@Nullable Throwable with) {
      failure = with;
      done = true;
      // Whoever writes himself does not wait: the next time he does, it would be for nothing.
      if (!caller.equals(Thread.currentThread())) {
        LockSupport.unpark(caller);
      }
    }

    /** A failure is thrown anew, since others may have it too. */
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
