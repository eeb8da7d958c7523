// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import dev.perdure.server.notify.ChannelRateLimit.PendingSummary;
import dev.perdure.store.jdbc.access.ChannelStore;
import dev.perdure.store.jdbc.access.ChannelStore.ChannelUsage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rate limit of each channel, which all nodes share through the database. Thread-safe.
 *
 * <p>A change reads the usage of the channel, decides, and writes it if no other node has written
 * meanwhile. Within a node the changes of a channel wait for each other, and those that wait are
 * decided together: a thousand messages at once need few writes, so they do not hold up webhooks.
 */
final class ChannelLimiter {

  private static final int MAX_TRIES = 50;
  private static final int MAX_TOGETHER = 1_000;
  private static final Duration BUSY = Duration.ofSeconds(1);

  private final ChannelStore store;
  private final Function<UUID, Optional<Instant>> dueAt;
  private final Map<String, Line> lines = new ConcurrentHashMap<>();

  /**
   * @param dueAt tells when a delivery is due; empty when it is not sent any more
   */
  ChannelLimiter(ChannelStore store, Function<UUID, Optional<Instant>> dueAt) {
    this.store = store;
    this.dueAt = dueAt;
  }

  /** The changes of one channel that wait on this node. */
  private static final class Line {
    private final ReentrantLock lock = new ReentrantLock();
    private final ConcurrentLinkedQueue<Change<?>> waiting = new ConcurrentLinkedQueue<>();
  }

  /** Used under the lock of its line, except for its constructor. */
  private static final class Change<T> {
    private final BiFunction<ChannelRateLimit, Instant, T> action;
    private final T otherwise;
    private @Nullable T result;
    private @Nullable RuntimeException failure;

    Change(BiFunction<ChannelRateLimit, Instant, T> action, T otherwise) {
      this.action = action;
      this.otherwise = otherwise;
    }

    void apply(ChannelRateLimit limit, Instant now) {
      result = action.apply(limit, now);
    }

    boolean isDone() {
      return result != null || failure != null;
    }
  }

  Admission admit(Channel channel, UUID delivery, NotifyEvent event) {
    return change(
        channel,
        (limit, now) -> limit.admit(now, delivery, event, dueAt),
        new Admission.Wait(BUSY));
  }

  /** True when a test message may be sent now. */
  boolean admitTest(Channel channel) {
    return change(channel, (limit, now) -> limit.admitTest(now), false);
  }

  /** Keeps all nodes from sending to the channel for this long. */
  void pause(Channel channel, Duration length) {
    change(
        channel,
        (limit, now) -> {
          limit.pause(now, length);
          return true;
        },
        false);
  }

  /** How long until the same delivery sends another summary; zero when this one counted all. */
  Duration summarySent(Channel channel, PendingSummary sent) {
    return change(
        channel,
        (limit, now) -> limit.summarySent(now, sent) ? Duration.ZERO : limit.untilFree(now),
        BUSY);
  }

  /**
   * Applies a change.
   *
   * @param otherwise the answer when other nodes write all the time
   */
  private <T> T change(
      Channel channel, BiFunction<ChannelRateLimit, Instant, T> action, T otherwise) {
    Line line = lines.computeIfAbsent(channel.name(), name -> new Line());
    Change<T> mine = new Change<>(action, otherwise);
    line.waiting.add(mine);
    line.lock.lock();
    try {
      while (!mine.isDone()) {
        run(channel.name(), next(line));
      }
      if (mine.failure != null) {
        throw mine.failure;
      }
      return mine.result == null ? otherwise : mine.result;
    } finally {
      line.lock.unlock();
    }
  }

  /** How many changes of this channel wait on this node. */
  int waiting(String channel) {
    Line line = lines.get(channel);
    return line == null ? 0 : line.waiting.size();
  }

  private static List<Change<?>> next(Line line) {
    List<Change<?>> together = new ArrayList<>();
    while (together.size() < MAX_TOGETHER && !line.waiting.isEmpty()) {
      together.add(line.waiting.remove());
    }
    return together;
  }

  private void run(String channel, List<Change<?>> together) {
    try {
      for (int tries = 0; tries < MAX_TRIES; tries++) {
        ChannelUsage usage = store.find(channel);
        ChannelRateLimit limit = ChannelRateLimit.parse(usage.usage());
        together.forEach(change -> change.apply(limit, usage.now()));
        if (store.write(channel, usage.version(), limit.toJson())) {
          return;
        }
      }
      together.forEach(ChannelLimiter::giveUp);
    } catch (RuntimeException e) {
      together.forEach(change -> change.failure = e);
    }
  }

  private static <T> void giveUp(Change<T> change) {
    change.result = change.otherwise;
  }
}
