// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.spi.TaskStore;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops a node step by step. Every step has a limit, so neither a handler that ignores its
 * interrupt nor a store that hangs holds it up forever. An interrupt of the caller ends the wait
 * for the handlers only; their attempts are still handed back and all results written.
 */
final class Shutdown {

  private static final Logger LOG = LoggerFactory.getLogger("dev.perdure.engine");
  private static final Duration STEP_LIMIT = Duration.ofSeconds(5);

  private final NodeComponents node;
  private final TaskStore.@Nullable Subscription subscription;
  private final Loop claiming;
  private final List<Loop> others;
  private boolean interrupted;

  /** Waits for a condition; false when the limit passed first. */
  @FunctionalInterface
  private interface BoundedWait {
    boolean until(Duration limit) throws InterruptedException;
  }

  Shutdown(
      NodeComponents node,
      TaskStore.@Nullable Subscription subscription,
      Loop claiming,
      List<Loop> others) {
    this.node = node;
    this.subscription = subscription;
    this.claiming = claiming;
    this.others = others;
  }

  /**
   * Stops everything.
   *
   * @param limit how long handlers and senders may take to finish
   * @return true when every handler finished by itself
   */
  boolean run(Duration limit) {
    Duration begin = node.monotonic.now();
    try {
      stopClaiming();
      boolean finished = letFinish(node.inFlight::awaitEmpty, limit);
      if (!finished) {
        node.interruptAll();
        if (!uninterruptibly(node.inFlight::awaitEmpty, STEP_LIMIT)) {
          node.handBackRemaining();
        }
      }
      uninterruptibly(node.inFlight::awaitSettled, STEP_LIMIT);
      // Computed from the time used: the longest limit is too far away to be an instant.
      stopDelivering(limit.minus(node.monotonic.now().minus(begin)));
      stopLoops();
      return finished;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void stopClaiming() {
    node.claimer.stop();
    if (node.deliveryDispatcher != null) {
      node.deliveryDispatcher.stop();
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
      LOG.warn("the subscription to the store could not be closed", problem);
    }
  }

  private boolean letFinish(BoundedWait wait, Duration limit) {
    try {
      return wait.until(interrupted ? Duration.ZERO : limit);
    } catch (InterruptedException interrupt) {
      interrupted = true;
      return false;
    }
  }

  /** Senders get the rest of the limit. */
  private void stopDelivering(Duration rest) {
    DeliveryDispatcher deliveryDispatcher = node.deliveryDispatcher;
    if (deliveryDispatcher != null && !letFinish(deliveryDispatcher::awaitIdle, rest)) {
      deliveryDispatcher.interruptAll();
      uninterruptibly(deliveryDispatcher::awaitIdle, STEP_LIMIT);
    }
  }

  private void stopLoops() {
    others.forEach(Loop::stop);
    // On a thread of its own, so that a store that hangs does not hold up the caller.
    Thread leaving = Thread.ofPlatform().name("perdure-leave").daemon().start(this::leave);
    Duration end = node.monotonic.now().plus(STEP_LIMIT);
    uninterruptibly(leaving::join, STEP_LIMIT);
    others.forEach(loop -> uninterruptibly(loop::join, end.minus(node.monotonic.now())));
  }

  private void leave() {
    try {
      node.leaseKeeper.leave();
    } catch (RuntimeException problem) {
      LOG.warn("the node could not delete its row, which will expire", problem);
    }
    node.rollupWriter.flush();
  }

  /** Waits despite interrupts, which are restored at the end. */
  private boolean uninterruptibly(BoundedWait wait, Duration limit) {
    Duration end = node.monotonic.now().plus(limit);
    while (true) {
      try {
        return wait.until(end.minus(node.monotonic.now()));
      } catch (InterruptedException interrupt) {
        interrupted = true;
      }
    }
  }
}
