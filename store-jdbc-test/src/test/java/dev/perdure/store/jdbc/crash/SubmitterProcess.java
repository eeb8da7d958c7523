// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.StoreException;
import dev.perdure.store.jdbc.JdbcStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** A process that submits tasks and prints an id only after the submission was acknowledged. */
final class SubmitterProcess {

  private static final int MAX_AT_ONCE = 5;
  private static final int MAX_SUBMISSIONS = 1_000_000;
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(25);

  private SubmitterProcess() {}

  /**
   * Arguments: the store URL, a seed, the longest job in milliseconds. Exits when its input is
   * closed.
   */
  public static void main(String[] arguments) throws IOException {
    Random random = new Random(Long.parseLong(arguments[1]));
    Duration longest = Duration.ofMillis(Long.parseLong(arguments[2]));
    try (JdbcStore store = JdbcStore.open(arguments[0]);
        Engine engine = Engine.on(store)) {
      Thread input = Thread.ofPlatform().daemon().start(SubmitterProcess::awaitEndOfInput);
      for (int i = 0; i < MAX_SUBMISSIONS && input.isAlive(); i++) {
        submit(engine, random, longest);
        pause(random.nextLong(PAUSE));
      }
    }
  }

  private static void pause(long nanos) {
    long end = System.nanoTime() + nanos;
    for (long left = nanos; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private static void submit(Engine engine, Random random, Duration longest) {
    int many = 1 + random.nextInt(MAX_AT_ONCE);
    List<NewTask> tasks = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      tasks.add(withParents(Job.any(random, longest).task().id("" + i), i, random));
    }
    try {
      List<UUID> ids = engine.submitAll(tasks).ids();
      System.out.print(ids.stream().map(id -> id + "\n").collect(Collectors.joining()));
      System.out.flush();
    } catch (StoreException notAcknowledged) {
      // The store is unavailable. A task that was not acknowledged may or may not be stored.
      System.err.println(notAcknowledged.getMessage());
    }
  }

  /** Lets every other task depend on one or two of those before it. */
  private static NewTask withParents(NewTask task, int index, Random random) {
    if (index == 0 || random.nextBoolean()) {
      return task;
    }
    int parent = random.nextInt(index);
    int other = random.nextInt(index);
    NewTask child = task.after("" + parent);
    return other == parent ? child : child.afterEvenIfFailed("" + other);
  }

  private static void awaitEndOfInput() {
    try {
      while (System.in.read() >= 0) {
        // Nothing is ever written to the input; only its end matters.
      }
    } catch (IOException closed) {
      // Treated as the end of the input.
    }
  }
}
