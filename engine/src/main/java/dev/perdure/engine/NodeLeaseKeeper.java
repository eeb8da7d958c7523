// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.spi.NodeRegistry;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.StoreException;
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
final class NodeLeaseKeeper {

  private final NodeRegistry nodes;
  private final Reconciler reconciler;
  private final NodeLeaseOptions options;
  private final EngineEnvironment.MonotonicClock monotonicClock;
  private final Supplier<NodeRegistry.RegisteredNode> newNode;
  private final EngineListener listener;

  /** Replaced only by comparison: the loops that renew and watch, and who stops, change it. */
  private final AtomicReference<NodeLease> lease = new AtomicReference<>(NodeLease.NONE);

  /**
   * @param node the row that is held, or null when none is
   * @param since when it was first held, without a break
   * @param renewed before the last renewal was sent
   * @param stopped true when the node stopped its own work
   */
  private record NodeLease(@Nullable UUID node, Duration since, Duration renewed, boolean stopped) {

    static final NodeLease NONE = new NodeLease(null, Duration.ZERO, Duration.ZERO, true);

    /** The node is gone for good; not the same object as {@link #NONE}, from where it joins. */
    static final NodeLease LEFT = new NodeLease(null, Duration.ZERO, Duration.ZERO, true);

    boolean holds(UUID id) {
      return id.equals(node);
    }

    /** The same row, but not held without a break before this. */
    NodeLease steadySince(Duration tick) {
      return new NodeLease(node, tick, renewed, stopped);
    }

    NodeLease stop() {
      return new NodeLease(node, since, renewed, true);
    }

    /**
     * Renewed. After a stop the row may turn out to be alive still: then the node works again, but
     * has not held it without a break. A store that hangs is as good as away.
     */
    NodeLease renewed(Duration before, Duration after, boolean slow) {
      return new NodeLease(node, stopped || slow ? after : since, before, false);
    }
  }

  NodeLeaseKeeper(
      NodeRegistry nodes,
      Reconciler reconciler,
      NodeLeaseOptions times,
      EngineEnvironment.MonotonicClock monotonicClock,
      Supplier<NodeRegistry.RegisteredNode> newNode,
      EngineListener listener) {
    this.nodes = nodes;
    this.reconciler = reconciler;
    this.options = times;
    this.monotonicClock = monotonicClock;
    this.newNode = newNode;
    this.listener = listener;
  }

  OutstandingClaims outstandingClaims() {
    return reconciler.outstandingClaims();
  }

  /** The node's id while it may claim and run, else null. */
  @Nullable UUID activeNode() {
    NodeLease now = lease.get();
    return mayWork(now) ? now.node() : null;
  }

  private boolean mayWork(NodeLease now) {
    return !now.stopped() && isInTime(now.renewed());
  }

  /** True while the row of this id is the node's, as far as it knows. */
  boolean holds(UUID node) {
    return lease.get().holds(node);
  }

  /** True when what was asked at this time and is answered now can still be trusted. */
  boolean isInTime(Duration asked) {
    return monotonicClock.now().minus(asked).compareTo(options.stopAfter()) < 0;
  }

  /** True when the row was held without a break for long enough to judge others. */
  boolean isSteady() {
    NodeLease now = lease.get();
    return mayWork(now)
        && monotonicClock.now().minus(now.since()).compareTo(options.steadyTimeBeforeReaping())
            >= 0;
  }

  /** Renews the row, or joins with a new one. */
  void runOnce() {
    try {
      UUID node = lease.get().node();
      if (node == null) {
        join();
      } else {
        renew(node);
      }
    } catch (StoreException problem) {
      listener.onStoreError("renew", problem);
      resetSteadiness();
      stopIfOverdue();
      throw problem;
    }
  }

  /**
   * The store was away, perhaps not long enough for anybody to stop. When it was back for a moment
   * only, others had no time to hand back what they hold, and must not be called dead for it.
   */
  private void resetSteadiness() {
    Duration tick = monotonicClock.now();
    lease.updateAndGet(now -> now.node() == null ? now : now.steadySince(tick));
  }

  /** Stops the node's own work when the renewal is overdue. Never asks the store. */
  void stopIfOverdue() {
    NodeLease now = lease.get();
    UUID node = now.node();
    if (node == null || now.stopped() || isInTime(now.renewed())) {
      return;
    }
    // When it was renewed meanwhile, there is nothing to stop.
    if (lease.compareAndSet(now, now.stop())) {
      listener.onSelfStop();
      reconciler.stopAll(node);
    }
  }

  /**
   * Compares between two renewals: somebody may have ended what runs here. A renewal would do the
   * same, later.
   */
  void reconcile() {
    UUID node = lease.get().node();
    if (node != null) {
      List<RunningAttempt> runningBefore = reconciler.running();
      reconciler.compare(node, runningBefore, nodes.leasesOf(node));
    }
  }

  /** Gives up the row, for good, after handing back what it holds and does not run. */
  void leave() {
    UUID node = lease.getAndSet(NodeLease.LEFT).node();
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
    Duration before = monotonicClock.now();
    NodeRegistry.RegisteredNode registeredNode = newNode.get();
    nodes.join(registeredNode, options.validity());
    NodeLease joined = new NodeLease(registeredNode.id(), before, before, false);
    if (!lease.compareAndSet(NodeLease.NONE, joined)) {
      // The node left while it was joining.
      nodes.leave(registeredNode.id());
    }
  }

  private void renew(UUID node) {
    Duration before = monotonicClock.now();
    List<RunningAttempt> runningBefore = reconciler.running();
    Optional<List<LeaseKey>> held = nodes.renew(node, options.validity());
    if (held.isEmpty()) {
      lease.updateAndGet(now -> now.holds(node) ? NodeLease.NONE : now);
      reconciler.nodeExpired(node);
      join();
      return;
    }
    Duration after = monotonicClock.now();
    boolean slow = after.minus(before).compareTo(options.renewInterval()) >= 0;
    lease.updateAndGet(now -> now.holds(node) ? now.renewed(before, after, slow) : now);
    reconciler.compare(node, runningBefore, held.get());
  }
}
