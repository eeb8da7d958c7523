// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.internal.DeliveryRetryDecider;
import dev.perdure.engine.spi.ClaimedDeliveries;
import dev.perdure.engine.spi.DeliveryUpdate;
import dev.perdure.engine.spi.Outbox;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.DeliveryOutcome;
import dev.perdure.engine.task.StoreException;
import dev.perdure.policy.Decision;
import dev.perdure.policy.DurationText;
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
 * Sends the deliveries in the outbox: claims due ones, never more than it may send at once, passes
 * each to the sender, and writes the results, many in one transaction.
 *
 * <p>A delivery is claimed for the length of a lease, which is extended while it is being sent.
 * When the node dies, the delivery is due again after that. When the node could not extend the
 * lease, another node may have sent the delivery too; then the late result is refused. So each
 * delivery is sent at least once, and the receiver recognizes repetitions by their key.
 *
 * <p>A delivery counts as active until its result is durable, so the concurrency also limits the
 * results that wait to be written.
 */
final class DeliveryDispatcher {

  private static final Logger LOG = LoggerFactory.getLogger("dev.perdure.engine");

  /** How long a delivery waits when its retry could not be decided. */
  private static final Duration DELAY_AFTER_ERROR = Duration.ofMinutes(1);

  private final Outbox outbox;
  private final DeliverySender sender;
  private final DeliveryOptions options;
  private final DeliveryRetryDecider retryDecider;
  private final EngineEnvironment environment;
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
      EngineEnvironment environment,
      EngineListener listener,
      LogContext logContext) {
    this.outbox = outbox;
    this.sender = deliverySender;
    this.options = options;
    this.retryDecider = new DeliveryRetryDecider(options.policy());
    this.environment = environment;
    this.listener = listener;
    this.logContext = logContext;
  }

  /** Called when a delivery attempt has ended. */
  void onEnded(Runnable value) {
    onEnded = value;
  }

  /** Claims nothing more; deliveries from a claim in progress are returned. */
  void stop() {
    synchronized (ended) {
      stopped = true;
    }
  }

  /** Interrupts all delivery attempts; deliveries that were not sent are due again at once. */
  void interruptAll() {
    stop();
    active.forEach(ActiveDelivery::stop);
  }

  /**
   * Waits until nothing is being sent and all results are durable; false when the limit passed
   * first.
   */
  boolean awaitIdle(Duration limit) throws InterruptedException {
    Duration begin = environment.monotonic().now();
    synchronized (ended) {
      while (claiming || !active.isEmpty()) {
        Duration used = environment.monotonic().now().minus(begin);
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

  /** How often it must run so that leases are extended in time. */
  Duration period() {
    return options.lease().dividedBy(6);
  }

  /** Writes one batch of results and claims one batch; returns how many deliveries that were. */
  int runOnce() {
    interruptOverdue();
    int written = settle();
    extend();
    return written + claim();
  }

  private void interruptOverdue() {
    Duration now = environment.monotonic().now();
    active.stream()
        .filter(activeDelivery -> activeDelivery.elapsed(now).compareTo(options.sendTimeout()) >= 0)
        .forEach(ActiveDelivery::stop);
  }

  /** A delivery that was stopped keeps its lease: its sender may never return. */
  private void extend() {
    Duration now = environment.monotonic().now();
    Duration third = options.lease().dividedBy(3);
    List<ActiveDelivery> expiring =
        active.stream()
            .filter(activeDelivery -> activeDelivery.leaseIsOlderThan(third, now))
            .toList();
    if (!expiring.isEmpty()) {
      outbox.extendLeases(
          expiring.stream().map(ActiveDelivery::delivery).toList(), options.lease());
      expiring.forEach(activeDelivery -> activeDelivery.leaseExtended(now));
    }
  }

  private int claim() {
    int freeSlots = Math.min(options.concurrency() - active.size(), Outbox.MAX_BATCH_SIZE);
    if (freeSlots <= 0 || !mayClaim()) {
      return 0;
    }
    try {
      // Taken before the claim, so that the lease never seems longer here than it is.
      Duration tick = environment.monotonic().now();
      ClaimedDeliveries claimed = outbox.claim(freeSlots, options.lease());
      for (Delivery delivery : claimed.deliveries()) {
        start(new ActiveDelivery(delivery, claimed.now(), tick));
      }
      return claimed.deliveries().size();
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
      activeDelivery.runsOn(environment.executor().start(name, work));
    } catch (RuntimeException | Error cannotStart) {
      release(activeDelivery); // The delivery is due again after its lease.
      throw cannotStart;
    }
  }

  private void run(ActiveDelivery activeDelivery) {
    DeliveryUpdate update = DeliveryUpdate.deferred(activeDelivery.delivery(), DELAY_AFTER_ERROR);
    try {
      update = send(activeDelivery);
    } catch (RuntimeException | Error undecidable) {
      // It must end in any case, or it would count as active forever.
      LOG.atError()
          .setCause(undecidable)
          .addKeyValue("delivery", activeDelivery.delivery().id())
          .log("the retry of a delivery cannot be decided; the delivery is deferred");
    } finally {
      end(activeDelivery, update);
    }
  }

  private DeliveryUpdate send(ActiveDelivery activeDelivery) {
    try {
      return updateOf(activeDelivery, sender.send(activeDelivery.delivery()));
    } catch (Throwable thrown) {
      if (!activeDelivery.stopped()) {
        return decide(activeDelivery, FailureConverter.of(thrown));
      }
      // An attempt that was interrupted because the node stops has not failed.
      return stopped
          ? DeliveryUpdate.deferred(activeDelivery.delivery(), Duration.ZERO)
          : decide(activeDelivery, timeoutFailure());
    }
  }

  private Failure timeoutFailure() {
    return Failure.timeout()
        .withMessage("not sent within " + DurationText.format(options.sendTimeout()));
  }

  private void end(ActiveDelivery activeDelivery, DeliveryUpdate update) {
    activeDelivery.end(update, environment.monotonic().now());
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
    Instant now = activeDelivery.databaseTime(environment.monotonic().now());
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
        message == null
            ? null
            : FailureConverter.truncate(message, FailureConverter.MAX_MESSAGE_CHARACTERS));
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

  /**
   * A result that the store refuses must not hold up the others; its delivery is sent again after
   * its lease.
   */
  private void settleOneByOne(List<ActiveDelivery> batch, Throwable problem) {
    if (batch.size() == 1) {
      ActiveDelivery activeDelivery = batch.getFirst();
      LOG.atError()
          .setCause(problem)
          .addKeyValue("delivery", activeDelivery.delivery().id())
          .log("the result of a delivery cannot be stored; it is sent again after its lease");
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
              "delivery given up after {}: {}",
              EngineLog.count(delivery.attempt() + 1, "attempt"),
              requireNonNull(update.failure(), "failure").message());
    }
    listener.onDeliveryAttempted(
        delivery.message().trigger(), update.outcome(), activeDelivery.took());
  }
}
