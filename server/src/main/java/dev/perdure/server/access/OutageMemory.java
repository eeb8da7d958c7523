// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import dev.perdure.engine.task.StoreException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the store each time, and remembers its answers for an outage: while the store does not
 * answer, those of the last {@link #REMEMBERED_FOR} count. So people who were let in can still read
 * that the store is away. Nobody is let in whom the store did not let in before. Thread-safe.
 *
 * <p>During an outage, questions are asked in the background until the store answers one. Before
 * the outage is noticed, a question waits for {@link #PATIENCE}. An answer that takes longer is
 * remembered when it comes, also if it refuses.
 *
 * @param <V> what is known about a caller
 */
final class OutageMemory<V> {

  /** How long an answer counts while the store is away. */
  static final Duration REMEMBERED_FOR = Duration.ofMinutes(5);

  /** How long a question waits for the store if there is an earlier answer. */
  static final Duration PATIENCE = Duration.ofSeconds(1);

  private static final int MAX_REMEMBERED = 1_000;

  private final Supplier<Duration> clock;
  private final BooleanSupplier storeAway;
  private final Predicate<V> valid;
  private final Map<String, Answer<V>> remembered = new LinkedHashMap<>(16, 0.75f, true);
  private final Set<String> asking = ConcurrentHashMap.newKeySet();

  /** The key of each question that was asked and not forgotten meanwhile. */
  private final Map<Object, String> inFlight = new HashMap<>();

  private record Answer<V>(V value, Duration until) {}

  /**
   * @param clock a monotonic clock
   * @param storeAway whether the store is known not to answer
   * @param valid whether an earlier answer still counts
   */
  OutageMemory(Supplier<Duration> clock, BooleanSupplier storeAway, Predicate<V> valid) {
    this.clock = clock;
    this.storeAway = storeAway;
    this.valid = valid;
  }

  /**
   * The answer of the store, or the one that it gave before if it is away.
   *
   * @param question empty, or an exception that is no {@link StoreException}, if there is nothing
   *     to remember
   */
  Optional<V> get(String key, Supplier<Optional<V>> question) {
    V before = remembered(key);
    if (before == null) {
      return ask(key, question);
    }
    if (storeAway.getAsBoolean()) {
      askInBackground(key, question);
      return Optional.of(before);
    }
    return askPatiently(key, question, before);
  }

  private synchronized @Nullable V remembered(String key) {
    Answer<V> answer = remembered.get(key);
    if (answer == null
        || answer.until().compareTo(clock.get()) <= 0
        || !valid.test(answer.value())) {
      return null;
    }
    return answer.value();
  }

  private Optional<V> ask(String key, Supplier<Optional<V>> question) {
    Object ticket = begin(key);
    Duration until = clock.get().plus(REMEMBERED_FOR);
    try {
      Optional<V> answer = question.get();
      answer.ifPresentOrElse(
          value -> remember(ticket, key, new Answer<>(value, until)), () -> forget(key));
      return answer;
    } catch (StoreException unavailable) {
      throw unavailable;
    } catch (RuntimeException refused) {
      forget(key);
      throw refused;
    } finally {
      end(ticket);
    }
  }

  /** One question at a time: while the store is away, each may take seconds. */
  private void askInBackground(String key, Supplier<Optional<V>> question) {
    if (asking.add(key)) {
      CompletableFuture<Optional<V>> unused =
          start(key, question).whenComplete((answer, refused) -> asking.remove(key));
    }
  }

  private Optional<V> askPatiently(String key, Supplier<Optional<V>> question, V before) {
    try {
      return start(key, question).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException silent) {
      return Optional.of(before);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof StoreException) {
        return Optional.of(before);
      }
      throw failed.getCause() instanceof RuntimeException refused
          ? refused
          : new IllegalStateException(failed.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of(before);
    }
  }

  private CompletableFuture<Optional<V>> start(String key, Supplier<Optional<V>> question) {
    CompletableFuture<Optional<V>> answer = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("authentication")
        .start(
            () -> {
              try {
                answer.complete(ask(key, question));
              } catch (RuntimeException | Error e) {
                answer.completeExceptionally(e);
              }
            });
    return answer;
  }

  private synchronized Object begin(String key) {
    Object ticket = new Object();
    inFlight.put(ticket, key);
    return ticket;
  }

  private synchronized void end(Object ticket) {
    inFlight.remove(ticket);
  }

  /** Not if it was forgotten after the question was asked: the answer may be from before. */
  private synchronized void remember(Object ticket, String key, Answer<V> answer) {
    if (inFlight.containsKey(ticket)) {
      remembered.put(key, answer);
      if (remembered.size() > MAX_REMEMBERED) {
        remembered.remove(remembered.keySet().iterator().next());
      }
    }
  }

  /** Forgets one answer, because it is no longer true. */
  synchronized void forget(String key) {
    inFlight.values().removeIf(key::equals);
    remembered.remove(key);
  }

  /** Forgets everything. */
  synchronized void forgetAll() {
    inFlight.clear();
    remembered.clear();
  }
}
