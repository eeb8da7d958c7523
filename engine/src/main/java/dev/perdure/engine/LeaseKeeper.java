// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.store.NodeBook;
import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.task.LeaseKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the node's row alive, and stops the node's own work when it cannot.
 *
 * <p>The row is valid for longer (25 s) than the node trusts it (15 s), and the node counts from
 * before it sent the renewal: so it has stopped before anybody may call it dead. A row that ran out
 * is never renewed; the node takes a new id and begins anew, and hands back what it held under the
 * old one.
 *
 * <p>Each renewal also tells what the node holds, for the {@link Reconciler}.
 */
final class LeaseKeeper {

  private final NodeBook nodes;
  private final Reconciler reconciler;
  private final LeaseTimes times;
  private final Sources.Monotonic monotonic;
  private final Supplier<NodeBook.Node> newNode;
  private final EngineListener listener;

  /** Replaced only by comparison: the loops that renew and watch, and who stops, change it. */
  private final AtomicReference<Standing> standing = new AtomicReference<>(Standing.NONE);

  /**
   * @param node the row that is held, or null when none is
   * @param since when it was first held, without a break
   * @param renewed before the last renewal was sent
   * @param stopped true when the node stopped its own work
   */
  private record Standing(@Nullable UUID node, Duration since, Duration renewed, boolean stopped) {

    static final Standing NONE = new Standing(null, Duration.ZERO, Duration.ZERO, true);

    /** The node is gone for good; not the same object as {@link #NONE}, from where it joins. */
    static final Standing LEFT = new Standing(null, Duration.ZERO, Duration.ZERO, true);

    boolean holds(UUID id) {
      return id.equals(node);
    }

    /** The same row, but not held without a break before this. */
    Standing brokenUntil(Duration tick) {
      return new Standing(node, tick, renewed, stopped);
    }

    Standing stop() {
      return new Standing(node, since, renewed, true);
    }

    /**
     * Renewed. After a stop the row may turn out to be alive still: then the node works again, but
     * has not held it without a break. A store that hangs is as good as away.
     */
    Standing renewed(Duration before, Duration after, boolean slow) {
      return new Standing(node, stopped || slow ? after : since, before, false);
    }
  }

  LeaseKeeper(
      NodeBook nodes,
      Reconciler reconciler,
      LeaseTimes times,
      Sources.Monotonic monotonic,
      Supplier<NodeBook.Node> newNode,
      EngineListener listener) {
    this.nodes = nodes;
    this.reconciler = reconciler;
    this.times = times;
    this.monotonic = monotonic;
    this.newNode = newNode;
    this.listener = listener;
  }

  ClaimTickets tickets() {
    return reconciler.tickets();
  }

  /** The node's id while it may claim and run, else null. */
  @Nullable UUID nodeThatMayWork() {
    Standing now = standing.get();
    return mayWork(now) ? now.node() : null;
  }

  private boolean mayWork(Standing now) {
    return !now.stopped() && isInTime(now.renewed());
  }

  /** True while the row of this id is the node's, as far as it knows. */
  boolean holds(UUID node) {
    return standing.get().holds(node);
  }

  /** True when what was asked at this time and is answered now can still be trusted. */
  boolean isInTime(Duration asked) {
    return monotonic.now().minus(asked).compareTo(times.stopAfter()) < 0;
  }

  /** True when the row was held without a break for long enough to judge others. */
  boolean mayJudge() {
    Standing now = standing.get();
    return mayWork(now)
        && monotonic.now().minus(now.since()).compareTo(times.steadyBeforeReaping()) >= 0;
  }

  /** Renews the row, or joins with a new one. */
  void runOnce() {
    try {
      UUID node = standing.get().node();
      if (node == null) {
        join();
      } else {
        renew(node);
      }
    } catch (StoreException problem) {
      listener.onStoreError("renew", problem);
      breakSteadiness();
      watch();
      throw problem;
    }
  }

  /**
   * The store was away, perhaps not long enough for anybody to stop. When it was back for a moment
   * only, others had no time to hand back what they hold, and must not be called dead for it.
   */
  private void breakSteadiness() {
    Duration tick = monotonic.now();
    standing.updateAndGet(now -> now.node() == null ? now : now.brokenUntil(tick));
  }

  /** Stops the node's own work when the renewal is overdue. Never asks the store. */
  void watch() {
    Standing now = standing.get();
    UUID node = now.node();
    if (node == null || now.stopped() || isInTime(now.renewed())) {
      return;
    }
    // When it was renewed meanwhile, there is nothing to stop.
    if (standing.compareAndSet(now, now.stop())) {
      listener.onSelfStop();
      reconciler.stopAll(node);
    }
  }

  /**
   * Compares between two renewals: somebody may have ended what runs here. A renewal would do the
   * same, later.
   */
  void compare() {
    UUID node = standing.get().node();
    if (node != null) {
      List<Running> runningBefore = reconciler.running();
      reconciler.compare(node, runningBefore, nodes.held(node));
    }
  }

  /** Gives up the row, for good, after handing back what it holds and does not run. */
  void leave() {
    UUID node = standing.getAndSet(Standing.LEFT).node();
    if (node == null) {
      return;
    }
    try {
      reconciler.leave(node);
    } finally {
      nodes.leave(node);
    }
  }

  private void join() {
    Duration before = monotonic.now();
    NodeBook.Node node = newNode.get();
    nodes.join(node, times.validity());
    Standing joined = new Standing(node.id(), before, before, false);
    if (!standing.compareAndSet(Standing.NONE, joined)) {
      // The node left while it was joining.
      nodes.leave(node.id());
    }
  }

  private void renew(UUID node) {
    Duration before = monotonic.now();
    List<Running> runningBefore = reconciler.running();
    Optional<List<LeaseKey>> held = nodes.renew(node, times.validity());
    if (held.isEmpty()) {
      standing.updateAndGet(now -> now.holds(node) ? Standing.NONE : now);
      reconciler.lapsed(node);
      join();
      return;
    }
    Duration after = monotonic.now();
    boolean slow = after.minus(before).compareTo(times.renewEvery()) >= 0;
    standing.updateAndGet(now -> now.holds(node) ? now.renewed(before, after, slow) : now);
    reconciler.compare(node, runningBefore, held.get());
  }
}
