// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.store.TaskStore;
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

  private final Node node;
  private final TaskStore.@Nullable Listening listening;
  private final Loop claiming;
  private final List<Loop> others;
  private boolean interrupted;

  /** Waits for something; false when the limit passed first. */
  @FunctionalInterface
  private interface Wait {
    boolean until(Duration limit) throws InterruptedException;
  }

  Shutdown(Node node, TaskStore.@Nullable Listening listening, Loop claiming, List<Loop> others) {
    this.node = node;
    this.listening = listening;
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
    Duration begin = node.monotonic.now();
    try {
      claimNothingMore();
      boolean finished = letFinish(node.inFlight::awaitEmpty, limit);
      if (!finished) {
        node.interruptAll();
        if (!patiently(node.inFlight::awaitEmpty, STEP_LIMIT)) {
          node.handBackTheRest();
        }
      }
      patiently(node.inFlight::awaitSettled, STEP_LIMIT);
      // By what is used up: no instant is as far away as the longest limit.
      deliverNoMore(limit.minus(node.monotonic.now().minus(begin)));
      endLoops();
      return finished;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void claimNothingMore() {
    node.claimer.stop();
    if (node.deliverer != null) {
      node.deliverer.stop();
    }
    claiming.stop();
    listenNoMore();
    patiently(claiming::join, STEP_LIMIT);
  }

  private void listenNoMore() {
    try {
      if (listening != null) {
        listening.close();
      }
    } catch (RuntimeException problem) {
      LOG.warn("the store could not be told that nobody listens any more", problem);
    }
  }

  private boolean letFinish(Wait wait, Duration limit) {
    try {
      return wait.until(interrupted ? Duration.ZERO : limit);
    } catch (InterruptedException interrupt) {
      interrupted = true;
      return false;
    }
  }

  /** Couriers have what the handlers left of the limit. */
  private void deliverNoMore(Duration rest) {
    Deliverer deliverer = node.deliverer;
    if (deliverer != null && !letFinish(deliverer::awaitIdle, rest)) {
      deliverer.interruptAll();
      patiently(deliverer::awaitIdle, STEP_LIMIT);
    }
  }

  private void endLoops() {
    others.forEach(Loop::stop);
    // On a thread of its own: a store that hangs must not hold up whoever waits here.
    Thread leaving = Thread.ofPlatform().name("perdure-leave").daemon().start(this::leave);
    Duration end = node.monotonic.now().plus(STEP_LIMIT);
    patiently(leaving::join, STEP_LIMIT);
    others.forEach(loop -> patiently(loop::join, end.minus(node.monotonic.now())));
  }

  private void leave() {
    try {
      node.keeper.leave();
    } catch (RuntimeException problem) {
      LOG.warn("the node could not take its row away; it will run out", problem);
    }
  }

  /** Waits although somebody interrupts; that is remembered for the end. */
  private boolean patiently(Wait wait, Duration limit) {
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
