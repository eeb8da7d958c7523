// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.internal.DeliveryRetryDecider;
import dev.perdure.engine.spi.ClaimedDeliveries;
import dev.perdure.engine.spi.DeliveryUpdate;
import dev.perdure.engine.spi.Outbox;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.DeliveryOutcome;
import dev.perdure.engine.task.StoreException;
import dev.perdure.policy.Decision;
import dev.perdure.policy.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what is in the outbox: takes what is due, never more than it has room for, hands each to
 * the courier, and writes how it went, many in one transaction.
 *
 * <p>A delivery is taken for the length of a lease, which is extended while its courier is away.
 * When the node dies it is due again after that; when the node could not extend it, somebody else
 * may have sent it too, and what the courier found is refused if so. So each is sent at least once,
 * and whoever gets it tells repetitions apart by its key.
 *
 * <p>Room is free again only when the end is durable, so what waits here to be written is never
 * more than may be under way.
 */
final class DeliveryDispatcher {

  private static final Logger LOG = LoggerFactory.getLogger("dev.perdure.engine");

  /** How long a delivery waits when what follows for it could not be decided. */
  private static final Duration DELAY_AFTER_ERROR = Duration.ofMinutes(1);

  private final Outbox outbox;
  private final DeliverySender sender;
  private final DeliveryOptions options;
  private final DeliveryRetryDecider retryDecider;
  private final EngineEnvironment engineEnvironment;
  private final EngineListener listener;
  private final LogContext logContext;
  private final Set<ActiveDelivery> active = ConcurrentHashMap.newKeySet();
  private final Deque<ActiveDelivery> ended = new ArrayDeque<>();
  private volatile Runnable onEnded = () -> {};
  private volatile boolean stopped;
  private boolean claiming;

  DeliveryDispatcher(
      Outbox outbox,
      DeliverySender deliverySender,
      DeliveryOptions options,
      EngineEnvironment engineEnvironment,
      EngineListener listener,
      LogContext logContext) {
    this.outbox = outbox;
    this.sender = deliverySender;
    this.options = options;
    this.retryDecider = new DeliveryRetryDecider(options.policy());
    this.engineEnvironment = engineEnvironment;
    this.listener = listener;
    this.logContext = logContext;
  }

  /** Called when a courier came back. */
  void onEnded(Runnable value) {
    onEnded = value;
  }

  /** Takes nothing more; what a claim under way still brings is given back. */
  void stop() {
    synchronized (ended) {
      stopped = true;
    }
  }

  /** Interrupts every courier; what they leave undone comes again at once. */
  void interruptAll() {
    stop();
    active.forEach(ActiveDelivery::stop);
  }

  /** Waits until nothing is under way and all is durable; false when the limit passed first. */
  boolean awaitIdle(Duration limit) throws InterruptedException {
    Duration begin = engineEnvironment.monotonic().now();
    synchronized (ended) {
      while (claiming || !active.isEmpty()) {
        Duration used = engineEnvironment.monotonic().now().minus(begin);
        long left = TimeUnit.MILLISECONDS.convert(limit.minus(used));
        if (left <= 0) {
          return false;
        }
        ended.wait(left);
      }
      return true;
    }
  }

  private void release(ActiveDelivery activeDelivery) {
    active.remove(activeDelivery);
    synchronized (ended) {
      ended.notifyAll();
    }
  }

  /** How often it wants to run at least, so that leases are extended in time. */
  Duration period() {
    return options.lease().dividedBy(6);
  }

  /** Writes one batch of ends and takes one batch more; tells how many it had to do with. */
  int runOnce() {
    interruptOverdue();
    int written = settle();
    extend();
    return written + claim();
  }

  private void interruptOverdue() {
    Duration now = engineEnvironment.monotonic().now();
    active.stream()
        .filter(activeDelivery -> activeDelivery.elapsed(now).compareTo(options.sendTimeout()) >= 0)
        .forEach(ActiveDelivery::stop);
  }

  /** What was stopped is left to its lease: its courier may never come back. */
  private void extend() {
    Duration now = engineEnvironment.monotonic().now();
    Duration third = options.lease().dividedBy(3);
    List<ActiveDelivery> held =
        active.stream()
            .filter(activeDelivery -> activeDelivery.leaseIsOlderThan(third, now))
            .toList();
    if (!held.isEmpty()) {
      outbox.extendLeases(held.stream().map(ActiveDelivery::delivery).toList(), options.lease());
      held.forEach(activeDelivery -> activeDelivery.leaseExtended(now));
    }
  }

  private int claim() {
    int room = Math.min(options.concurrency() - active.size(), Outbox.MAX_BATCH_SIZE);
    if (room <= 0 || !mayClaim()) {
      return 0;
    }
    try {
      // Before the question: the lease must not seem longer from here than it is.
      Duration tick = engineEnvironment.monotonic().now();
      ClaimedDeliveries claimedDeliveries = outbox.claim(room, options.lease());
      for (Delivery delivery : claimedDeliveries.deliveries()) {
        start(new ActiveDelivery(delivery, claimedDeliveries.now(), tick));
      }
      return claimedDeliveries.deliveries().size();
    } finally {
      synchronized (ended) {
        claiming = false;
        ended.notifyAll();
      }
    }
  }

  private boolean mayClaim() {
    synchronized (ended) {
      claiming = !stopped;
      return claiming;
    }
  }

  private void start(ActiveDelivery activeDelivery) {
    active.add(activeDelivery);
    if (stopped) {
      end(activeDelivery, DeliveryUpdate.deferred(activeDelivery.delivery(), Duration.ZERO));
      return;
    }
    String name =
        activeDelivery.delivery().message().trigger() + " " + activeDelivery.delivery().id();
    Runnable work = () -> logContext.run(activeDelivery.delivery(), () -> run(activeDelivery));
    try {
      activeDelivery.runsOn(engineEnvironment.executor().start(name, work));
    } catch (RuntimeException | Error cannotStart) {
      release(activeDelivery); // It is due again after its lease.
      throw cannotStart;
    }
  }

  private void run(ActiveDelivery activeDelivery) {
    DeliveryUpdate update = DeliveryUpdate.deferred(activeDelivery.delivery(), DELAY_AFTER_ERROR);
    try {
      update = send(activeDelivery);
    } catch (RuntimeException | Error undecidable) {
      // It must come back all the same: its place would be taken for ever.
      LOG.atError()
          .setCause(undecidable)
          .addKeyValue("delivery", activeDelivery.delivery().id())
          .log("what follows for a delivery cannot be decided; it is put off");
    } finally {
      end(activeDelivery, update);
    }
  }

  private DeliveryUpdate send(ActiveDelivery activeDelivery) {
    try {
      return updateOf(activeDelivery, sender.send(activeDelivery.delivery()));
    } catch (Throwable thrown) {
      // Who was interrupted since the node stops has failed at nothing.
      boolean brokenOff = stopped && activeDelivery.stopped();
      return brokenOff
          ? DeliveryUpdate.deferred(activeDelivery.delivery(), Duration.ZERO)
          : decide(activeDelivery, Failures.of(thrown));
    }
  }

  private void end(ActiveDelivery activeDelivery, DeliveryUpdate update) {
    activeDelivery.end(update, engineEnvironment.monotonic().now());
    synchronized (ended) {
      ended.add(activeDelivery);
    }
    onEnded.run();
  }

  private DeliveryUpdate updateOf(
      ActiveDelivery activeDelivery, DeliverySender.SendOutcome sendOutcome) {
    Delivery delivery = activeDelivery.delivery();
    return switch (sendOutcome) {
      case DeliverySender.Accepted accepted -> DeliveryUpdate.sent(delivery);
      case DeliverySender.SendDeferred deferred ->
          DeliveryUpdate.deferred(delivery, deferred.delay());
      case DeliverySender.SendFailed failed -> decide(activeDelivery, failed.failure());
    };
  }

  private DeliveryUpdate decide(ActiveDelivery activeDelivery, Failure failure) {
    Delivery delivery = activeDelivery.delivery();
    Delivery.DeliveryFailure stored = failureOf(failure);
    Instant now = activeDelivery.databaseTime(engineEnvironment.monotonic().now());
    return switch (retryDecider.decide(delivery, failure, now)) {
      case Decision.Retry retry -> DeliveryUpdate.failed(delivery, retry.delay(), stored);
      case Decision.GiveUp giveUp -> DeliveryUpdate.dead(delivery, stored);
    };
  }

  private static Delivery.DeliveryFailure failureOf(Failure failure) {
    String message = failure.message();
    return new Delivery.DeliveryFailure(
        failure.kind().text(),
        failure.status(),
        message == null ? null : Failures.truncate(message, Failures.MAX_MESSAGE_CHARACTERS));
  }

  private int settle() {
    List<ActiveDelivery> batch = new ArrayList<>();
    synchronized (ended) {
      while (batch.size() < Outbox.MAX_BATCH_SIZE && !ended.isEmpty()) {
        batch.add(ended.poll());
      }
    }
    if (!batch.isEmpty()) {
      settle(batch);
    }
    return batch.size();
  }

  private void settle(List<ActiveDelivery> batch) {
    List<Boolean> written;
    try {
      written = outbox.settle(batch.stream().map(ActiveDelivery::update).toList());
    } catch (RuntimeException | Error problem) {
      if (problem instanceof StoreException away && away.unavailable()) {
        requeue(batch);
        throw problem;
      }
      settleOneByOne(batch, problem);
      return;
    }
    for (int i = 0; i < batch.size(); i++) {
      release(batch.get(i));
      if (written.get(i)) {
        notifyListener(batch.get(i));
      }
    }
  }

  /** One that the store does not take must not keep the others waiting: it is left to its lease. */
  private void settleOneByOne(List<ActiveDelivery> batch, Throwable problem) {
    if (batch.size() == 1) {
      ActiveDelivery activeDelivery = batch.getFirst();
      LOG.atError()
          .setCause(problem)
          .addKeyValue("delivery", activeDelivery.delivery().id())
          .log("how a delivery went cannot be stored; it is sent again after its lease");
      if (problem instanceof StoreException refused) {
        listener.onStoreError("deliver", refused);
      }
      release(activeDelivery);
      return;
    }
    for (int i = 0; i < batch.size(); i++) {
      try {
        settle(List.of(batch.get(i)));
      } catch (StoreException down) {
        requeue(batch.subList(i + 1, batch.size()));
        throw down;
      }
    }
  }

  private void requeue(List<ActiveDelivery> batch) {
    synchronized (ended) {
      batch.reversed().forEach(ended::addFirst);
    }
  }

  private void notifyListener(ActiveDelivery activeDelivery) {
    Delivery delivery = activeDelivery.delivery();
    DeliveryUpdate update = activeDelivery.update();
    if (update.outcome() == DeliveryOutcome.DEFERRED) {
      return; // Nothing was sent.
    }
    if (update.outcome() == DeliveryOutcome.DEAD) {
      LOG.atWarn()
          .addKeyValue("node", logContext.node())
          .addKeyValue("task", delivery.task())
          .addKeyValue("batch", delivery.batch())
          .addKeyValue("delivery", delivery.id())
          .log(
              "delivery given up after {} attempts: {}",
              delivery.attempt() + 1,
              update.failure() == null ? "" : update.failure().message());
    }
    listener.onDeliveryAttempted(
        delivery.message().trigger(), update.outcome(), activeDelivery.took());
  }
}
