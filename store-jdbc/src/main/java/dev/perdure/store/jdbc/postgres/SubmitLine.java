// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static java.util.Objects.requireNonNullElse;

import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.Submission.NewRow;
import dev.perdure.engine.task.Definition;
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
final class SubmitLine {

  /** While one is committed another is written. */
  private static final int PLACES = 2;

  private static final int MOST_TASKS = 500;
  private static final int MOST_CHARACTERS = 1_000_000;

  private final Consumer<List<Submission>> write;
  private final Duration patience;
  private final Semaphore places = new Semaphore(PLACES);
  private final Queue<Order> waiting = new ConcurrentLinkedQueue<>();

  /**
   * @param write stores some, all or none; may be done twice
   * @param patience how long one may wait until somebody begins to write it
   */
  SubmitLine(Consumer<List<Submission>> write, Duration patience) {
    this.write = write;
    this.patience = patience;
  }

  /** Returns when it is durable. */
  void submit(Submission submission) {
    Order order = new Order(submission, Thread.currentThread());
    waiting.add(order);
    order.keepInterrupt();
    long begin = System.nanoTime();
    while (!order.done) {
      if (places.tryAcquire()) {
        serve(order);
      }
      if (!order.done) {
        await(order, patience.toNanos() - (System.nanoTime() - begin));
        order.keepInterrupt();
      }
    }
    order.answer();
  }

  /** Writes what waits until this one is written, by this caller or by another. */
  private void serve(Order own) {
    try {
      List<Order> group = next();
      while (!group.isEmpty()) {
        write(group, own);
        group = own.done ? List.of() : next();
      }
    } finally {
      places.release();
      wakeFirst();
    }
  }

  /** Whoever came while no place was free does not look again by himself. */
  private void wakeFirst() {
    Order first = waiting.peek();
    if (first != null) {
      LockSupport.unpark(first.caller);
    }
  }

  private void await(Order order, long left) {
    if (left > 0) {
      LockSupport.parkNanos(this, left);
    } else if (waiting.remove(order)) {
      wakeFirst(); // it may be this one that was woken
      order.end(
          new StoreException(
              "submit failed: nothing was written for " + patience,
              null,
              StoreException.Sort.UNAVAILABLE));
    } else {
      // Somebody writes it, who has a limit of its own.
      LockSupport.parkNanos(this, patience.toNanos());
    }
  }

  private List<Order> next() {
    List<Order> group = new ArrayList<>();
    int tasks = 0;
    long characters = 0;
    while (tasks < MOST_TASKS && characters < MOST_CHARACTERS) {
      Order order = waiting.poll();
      if (order == null) {
        break;
      }
      group.add(order);
      tasks += order.submission.tasks().size();
      characters += order.characters();
    }
    return group;
  }

  /** Who interrupts the caller does not mean the others: then it is written once more. */
  private void write(List<Order> group, Order own) {
    Throwable failure = written(group);
    if (failure != null && own.keepInterrupt()) {
      failure = written(group);
    }
    if (group.size() > 1 && isRefused(failure)) {
      group.forEach(order -> write(List.of(order), own));
      return;
    }
    for (Order order : group) {
      order.end(failure);
    }
  }

  /** An Error is told too: the others must not wait for ever. */
  private @Nullable Throwable written(List<Order> group) {
    try {
      write.accept(group.stream().map(order -> order.submission).toList());
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  private static boolean isRefused(@Nullable Throwable failure) {
    return failure instanceof StoreException e && e.sort() == StoreException.Sort.REFUSED;
  }

  private static final class Order {

    private final Submission submission;
    private final Thread caller;
    private boolean interrupted;
    private @Nullable Throwable failure;
    private volatile boolean done;

    Order(Submission submission, Thread caller) {
      this.submission = submission;
      this.caller = caller;
    }

    long characters() {
      return submission.tasks().stream().map(NewRow::definition).mapToLong(Order::characters).sum();
    }

    private static long characters(Definition task) {
      return Stream.of(task.payload(), task.metadata(), task.policy(), task.actions())
          .filter(Objects::nonNull)
          .mapToLong(String::length)
          .sum();
    }

    /**
     * What is written here belongs to others too; true when the caller was interrupted just now.
     */
    boolean keepInterrupt() {
      boolean now = Thread.interrupted();
      interrupted |= now;
      return now;
    }

    void end(@Nullable Throwable with) {
      failure = with;
      done = true;
      // Whoever writes himself does not wait: the next time he does, it would be for nothing.
      if (!caller.equals(Thread.currentThread())) {
        LockSupport.unpark(caller);
      }
    }

    /** A failure is thrown anew, since others may have it too. */
    void answer() {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      Throwable found = failure;
      if (found instanceof StoreException e) {
        throw new StoreException(requireNonNullElse(e.getMessage(), "submit failed"), e, e.sort());
      }
      if (found != null) {
        throw new IllegalStateException("submit failed: " + found.getMessage(), found);
      }
    }
  }
}
