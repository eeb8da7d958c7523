// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.store.Outbox;
import dev.perdure.engine.store.Sending;
import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.Taken;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.DeliveryPlan;
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
final class Deliverer {

  private static final Logger LOG = LoggerFactory.getLogger("dev.perdure.engine");

  /** How long a delivery waits when what follows for it could not be decided. */
  private static final Duration AFTER_A_FAULT = Duration.ofMinutes(1);

  private final Outbox outbox;
  private final Courier courier;
  private final DeliveryOptions options;
  private final DeliveryPlan plan;
  private final Sources sources;
  private final EngineListener listener;
  private final Set<Errand> underWay = ConcurrentHashMap.newKeySet();
  private final Deque<Errand.Ended> ended = new ArrayDeque<>();
  private volatile Runnable onEnded = () -> {};
  private volatile boolean stopped;
  private boolean taking;

  Deliverer(
      Outbox outbox,
      Courier courier,
      DeliveryOptions options,
      Sources sources,
      EngineListener listener) {
    this.outbox = outbox;
    this.courier = courier;
    this.options = options;
    this.plan = new DeliveryPlan(options.policy());
    this.sources = sources;
    this.listener = listener;
  }

  /** Called when a courier came back. */
  void wakes(Runnable value) {
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
    underWay.forEach(Errand::stop);
  }

  /** Waits until nothing is under way and all is durable; false when the limit passed first. */
  boolean awaitIdle(Duration limit) throws InterruptedException {
    Duration begin = sources.monotonic().now();
    synchronized (ended) {
      while (taking || !underWay.isEmpty()) {
        Duration used = sources.monotonic().now().minus(begin);
        long left = TimeUnit.MILLISECONDS.convert(limit.minus(used));
        if (left <= 0) {
          return false;
        }
        ended.wait(left);
      }
      return true;
    }
  }

  private void letGo(Errand errand) {
    underWay.remove(errand);
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
    return written + take();
  }

  private void interruptOverdue() {
    Duration now = sources.monotonic().now();
    underWay.stream()
        .filter(errand -> errand.took(now).compareTo(options.longest()) >= 0)
        .forEach(Errand::stop);
  }

  /** What was stopped is left to its lease: its courier may never come back. */
  private void extend() {
    Duration now = sources.monotonic().now();
    Duration third = options.lease().dividedBy(3);
    List<Errand> held = underWay.stream().filter(errand -> errand.isHeldFor(third, now)).toList();
    if (!held.isEmpty()) {
      outbox.extend(held.stream().map(Errand::delivery).toList(), options.lease());
      held.forEach(errand -> errand.held(now));
    }
  }

  private int take() {
    int room = Math.min(options.concurrency() - underWay.size(), Outbox.MOST_AT_ONCE);
    if (room <= 0 || !mayTake()) {
      return 0;
    }
    try {
      // Before the question: the lease must not seem longer from here than it is.
      Duration tick = sources.monotonic().now();
      Taken taken = outbox.claim(room, options.lease());
      for (Delivery delivery : taken.deliveries()) {
        start(new Errand(delivery, taken.now(), tick));
      }
      return taken.deliveries().size();
    } finally {
      synchronized (ended) {
        taking = false;
        ended.notifyAll();
      }
    }
  }

  private boolean mayTake() {
    synchronized (ended) {
      taking = !stopped;
      return taking;
    }
  }

  private void start(Errand errand) {
    underWay.add(errand);
    if (stopped) {
      end(errand, new Sending.PutOff(Duration.ZERO));
      return;
    }
    String name = errand.delivery().announcement().trigger() + " " + errand.delivery().id();
    try {
      errand.by(sources.workers().start(name, () -> run(errand)));
    } catch (RuntimeException | Error cannotStart) {
      letGo(errand); // It is due again after its lease.
      throw cannotStart;
    }
  }

  private void run(Errand errand) {
    Sending.End end = new Sending.PutOff(AFTER_A_FAULT);
    try {
      end = carried(errand);
    } catch (RuntimeException | Error undecidable) {
      // It must come back all the same: its place would be taken for ever.
      LOG.atError()
          .setCause(undecidable)
          .addKeyValue("delivery", errand.delivery().id())
          .log("what follows for a delivery cannot be decided; it is put off");
    } finally {
      end(errand, end);
    }
  }

  private Sending.End carried(Errand errand) {
    try {
      return endOf(errand, courier.deliver(errand.delivery()));
    } catch (Throwable thrown) {
      // Who was interrupted since the node stops has failed at nothing.
      boolean brokenOff = stopped && errand.stopped();
      return brokenOff ? new Sending.PutOff(Duration.ZERO) : decided(errand, Failures.of(thrown));
    }
  }

  private void end(Errand errand, Sending.End end) {
    Duration tick = sources.monotonic().now();
    errand.end(tick);
    Sending sending = new Sending(errand.delivery().id(), errand.delivery().epoch(), end);
    synchronized (ended) {
      ended.add(new Errand.Ended(errand, sending, errand.took(tick)));
    }
    onEnded.run();
  }

  private Sending.End endOf(Errand errand, Courier.Answer answer) {
    return switch (answer) {
      case Courier.Arrived arrived -> new Sending.Arrived();
      case Courier.PutOff putOff -> new Sending.PutOff(putOff.delay());
      case Courier.Failed failed -> decided(errand, failed.failure());
    };
  }

  private Sending.End decided(Errand errand, Failure failure) {
    Delivery.Miss miss = miss(failure);
    Instant now = errand.databaseTime(sources.monotonic().now());
    return switch (plan.decide(errand.delivery(), failure, now)) {
      case Decision.Retry retry -> new Sending.Again(retry.delay(), miss);
      case Decision.GiveUp giveUp -> new Sending.GivenUp(miss);
    };
  }

  private static Delivery.Miss miss(Failure failure) {
    String message = failure.message();
    return new Delivery.Miss(
        failure.kind().text(),
        failure.status(),
        message == null ? null : Failures.cut(message, Failures.MOST_MESSAGE_CHARACTERS));
  }

  private int settle() {
    List<Errand.Ended> batch = new ArrayList<>();
    synchronized (ended) {
      while (batch.size() < Outbox.MOST_AT_ONCE && !ended.isEmpty()) {
        batch.add(ended.poll());
      }
    }
    if (!batch.isEmpty()) {
      settle(batch);
    }
    return batch.size();
  }

  private void settle(List<Errand.Ended> batch) {
    List<Boolean> written;
    try {
      written = outbox.settle(batch.stream().map(Errand.Ended::sending).toList());
    } catch (RuntimeException | Error problem) {
      if (problem instanceof StoreException away && away.unavailable()) {
        putBack(batch);
        throw problem;
      }
      notTaken(batch, problem);
      return;
    }
    for (int i = 0; i < batch.size(); i++) {
      Errand.Ended one = batch.get(i);
      letGo(one.errand());
      if (written.get(i)) {
        tell(one);
      }
    }
  }

  /** One that the store does not take must not keep the others waiting: it is left to its lease. */
  private void notTaken(List<Errand.Ended> batch, Throwable problem) {
    if (batch.size() == 1) {
      Errand errand = batch.getFirst().errand();
      LOG.atError()
          .setCause(problem)
          .addKeyValue("delivery", errand.delivery().id())
          .log("how a delivery went cannot be stored; it is sent again after its lease");
      if (problem instanceof StoreException refused) {
        listener.onStoreError("deliver", refused);
      }
      letGo(errand);
      return;
    }
    for (int i = 0; i < batch.size(); i++) {
      try {
        settle(List.of(batch.get(i)));
      } catch (StoreException down) {
        putBack(batch.subList(i + 1, batch.size()));
        throw down;
      }
    }
  }

  private void putBack(List<Errand.Ended> batch) {
    synchronized (ended) {
      batch.reversed().forEach(ended::addFirst);
    }
  }

  private void tell(Errand.Ended one) {
    Delivery delivery = one.errand().delivery();
    switch (one.sending().end()) {
      case Sending.Arrived arrived -> tell(one, DeliveryOutcome.ARRIVED);
      case Sending.Again again -> tell(one, DeliveryOutcome.FAILED);
      case Sending.GivenUp givenUp -> {
        LOG.atWarn()
            .addKeyValue("delivery", delivery.id())
            .addKeyValue("task", delivery.task())
            .log(
                "delivery given up after {} attempts: {}",
                delivery.attempt() + 1,
                givenUp.miss().message());
        tell(one, DeliveryOutcome.DEAD);
      }
      case Sending.PutOff putOff -> {}
    }
  }

  private void tell(Errand.Ended one, DeliveryOutcome outcome) {
    listener.onDelivered(one.errand().delivery().announcement().trigger(), outcome, one.took());
  }
}
