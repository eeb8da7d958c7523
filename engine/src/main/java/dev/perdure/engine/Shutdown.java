// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.spi.TaskStore;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a node, step by step. Every step has a limit: neither a handler that ignores its
 * interrupt nor a store that hangs holds it up for ever. An interrupt of whoever waits ends the
 * wait for the handlers, and nothing else; what was under way is still handed back and written.
 */
final class Shutdown {

  private static final Logger LOG = LoggerFactory.getLogger("dev.perdure.engine");
  private static final Duration STEP_LIMIT = Duration.ofSeconds(5);

  private final NodeComponents nodeComponents;
  private final TaskStore.@Nullable Subscription subscription;
  private final Loop claiming;
  private final List<Loop> others;
  private boolean interrupted;

  /** Waits for something; false when the limit passed first. */
  @FunctionalInterface
  private interface BoundedWait {
    boolean until(Duration limit) throws InterruptedException;
  }

  Shutdown(
      NodeComponents nodeComponents,
      TaskStore.@Nullable Subscription subscription,
      Loop claiming,
      List<Loop> others) {
    this.nodeComponents = nodeComponents;
    this.subscription = subscription;
    this.claiming = claiming;
    this.others = others;
  }

  /**
   * Ends it all.
   *
   * @param limit how long handlers and couriers may take to finish
   * @return true when every handler had finished by itself
   */
  boolean run(Duration limit) {
    Duration begin = nodeComponents.monotonic.now();
    try {
      stopClaiming();
      boolean finished = letFinish(nodeComponents.inFlight::awaitEmpty, limit);
      if (!finished) {
        nodeComponents.interruptAll();
        if (!uninterruptibly(nodeComponents.inFlight::awaitEmpty, STEP_LIMIT)) {
          nodeComponents.handBackRemaining();
        }
      }
      uninterruptibly(nodeComponents.inFlight::awaitSettled, STEP_LIMIT);
      // By what is used up: no instant is as far away as the longest limit.
      stopDelivering(limit.minus(nodeComponents.monotonic.now().minus(begin)));
      stopLoops();
      return finished;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void stopClaiming() {
    nodeComponents.claimer.stop();
    if (nodeComponents.deliveryDispatcher != null) {
      nodeComponents.deliveryDispatcher.stop();
    }
    claiming.stop();
    stopListening();
    uninterruptibly(claiming::join, STEP_LIMIT);
  }

  private void stopListening() {
    try {
      if (subscription != null) {
        subscription.close();
      }
    } catch (RuntimeException problem) {
      LOG.warn("the store could not be told that nobody listens any more", problem);
    }
  }

  private boolean letFinish(BoundedWait boundedWait, Duration limit) {
    try {
      return boundedWait.until(interrupted ? Duration.ZERO : limit);
    } catch (InterruptedException interrupt) {
      interrupted = true;
      return false;
    }
  }

  /** Couriers have what the handlers left of the limit. */
  private void stopDelivering(Duration rest) {
    DeliveryDispatcher deliveryDispatcher = nodeComponents.deliveryDispatcher;
    if (deliveryDispatcher != null && !letFinish(deliveryDispatcher::awaitIdle, rest)) {
      deliveryDispatcher.interruptAll();
      uninterruptibly(deliveryDispatcher::awaitIdle, STEP_LIMIT);
    }
  }

  private void stopLoops() {
    others.forEach(Loop::stop);
    // On a thread of its own: a store that hangs must not hold up whoever waits here.
    Thread leaving = Thread.ofPlatform().name("perdure-leave").daemon().start(this::leave);
    Duration end = nodeComponents.monotonic.now().plus(STEP_LIMIT);
    uninterruptibly(leaving::join, STEP_LIMIT);
    others.forEach(loop -> uninterruptibly(loop::join, end.minus(nodeComponents.monotonic.now())));
  }

  private void leave() {
    try {
      nodeComponents.leaseKeeper.leave();
    } catch (RuntimeException problem) {
      LOG.warn("the node could not take its row away; it will run out", problem);
    }
  }

  /** Waits although somebody interrupts; that is remembered for the end. */
  private boolean uninterruptibly(BoundedWait boundedWait, Duration limit) {
    Duration end = nodeComponents.monotonic.now().plus(limit);
    while (true) {
      try {
        return boundedWait.until(end.minus(nodeComponents.monotonic.now()));
      } catch (InterruptedException interrupt) {
        interrupted = true;
      }
    }
  }
}
