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
 * Renews the node's row, and stops the node's own work when it cannot.
 *
 * <p>The row is valid for longer (25 s) than the node trusts it (15 s), and the node counts from
 * before it sent the renewal. So the node has stopped before another node may declare it dead. An
 * expired row is never renewed: the node joins with a new id and hands back what it held under the
 * old one.
 *
 * <p>Each renewal also returns the leases that the node holds, for the {@link Reconciler}.
 */
final class NodeLeaseKeeper {

  private final NodeRegistry nodes;
  private final Reconciler reconciler;
  private final NodeLeaseOptions options;
  private final EngineEnvironment.MonotonicClock monotonic;
  private final Supplier<NodeRegistry.RegisteredNode> newNode;
  private final EngineListener listener;

  /** Changed by compare-and-set only: the renew loop, the watch loop and a stop all change it. */
  private final AtomicReference<NodeLease> lease = new AtomicReference<>(NodeLease.NONE);

  private volatile boolean left;

  /**
   * The state of the node's lease.
   *
   * @param node the id of the row; null when the node has none
   * @param since when it was first held, without a gap
   * @param renewed the time just before the last renewal was sent
   * @param stopped true when the node stopped its own work
   */
  private record NodeLease(@Nullable UUID node, Duration since, Duration renewed, boolean stopped) {

    static final NodeLease NONE = new NodeLease(null, Duration.ZERO, Duration.ZERO, true);

    /**
     * The node has left for good. A different object from {@link #NONE}, which the node joins from.
     */
    static final NodeLease LEFT = new NodeLease(null, Duration.ZERO, Duration.ZERO, true);

    boolean holds(UUID id) {
      return id.equals(node);
    }

    /** A copy that counts as held without a gap only since this tick. */
    NodeLease steadySince(Duration tick) {
      return new NodeLease(node, tick, renewed, stopped);
    }

    NodeLease stop() {
      return new NodeLease(node, since, renewed, true);
    }

    /**
     * A renewed copy. After a stop, the row may turn out to be alive still: the node works again,
     * but has not held it without a gap. The same holds after a slow renewal.
     */
    NodeLease renewed(Duration before, Duration after, boolean slow) {
      return new NodeLease(node, stopped || slow ? after : since, before, false);
    }
  }

  NodeLeaseKeeper(
      NodeRegistry nodes,
      Reconciler reconciler,
      NodeLeaseOptions options,
      EngineEnvironment.MonotonicClock monotonic,
      Supplier<NodeRegistry.RegisteredNode> newNode,
      EngineListener listener) {
    this.nodes = nodes;
    this.reconciler = reconciler;
    this.options = options;
    this.monotonic = monotonic;
    this.newNode = newNode;
    this.listener = listener;
  }

  OutstandingClaims outstandingClaims() {
    return reconciler.outstandingClaims();
  }

  /** The node's id while it may claim and run; otherwise null. */
  @Nullable UUID activeNode() {
    NodeLease now = lease.get();
    return mayWork(now) ? now.node() : null;
  }

  private boolean mayWork(NodeLease now) {
    return !now.stopped() && isInTime(now.renewed());
  }

  /** True while this id is the node's row, as far as it knows. */
  boolean holds(UUID node) {
    return lease.get().holds(node);
  }

  /** True when an answer to a question from this tick can still be trusted. */
  boolean isInTime(Duration askedTick) {
    return monotonic.now().minus(askedTick).compareTo(options.stopAfter()) < 0;
  }

  /** True when the row was held without a gap for long enough to declare others dead. */
  boolean isSteady() {
    NodeLease now = lease.get();
    return mayWork(now)
        && monotonic.now().minus(now.since()).compareTo(options.steadyTimeBeforeReaping()) >= 0;
  }

  /** Renews the row, or joins with a new one, unless the node has left. */
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
   * The store failed, perhaps too briefly for any node to stop. When it is back only for a moment,
   * other nodes have no time to hand back what they hold, and must not be declared dead for that.
   */
  private void resetSteadiness() {
    Duration tick = monotonic.now();
    lease.updateAndGet(now -> now.node() == null ? now : now.steadySince(tick));
  }

  /** Stops the node's own work when the renewal is overdue. Never asks the store. */
  void stopIfOverdue() {
    NodeLease now = lease.get();
    UUID node = now.node();
    if (node == null || now.stopped() || isInTime(now.renewed())) {
      return;
    }
    // If the compare-and-set fails, the row was renewed meanwhile and nothing must stop.
    if (lease.compareAndSet(now, now.stop())) {
      listener.onSelfStop();
      reconciler.stopAll(node);
    }
  }

  /**
   * Compares leases between two renewals, because another node may have ended what runs here. A
   * renewal would do the same, later.
   */
  void reconcile() {
    UUID node = lease.get().node();
    if (node != null) {
      List<RunningAttempt> runningBefore = reconciler.running();
      reconciler.compare(node, runningBefore, nodes.leasesOf(node));
    }
  }

  /** Deletes the row for good, after handing back the leases that do not run. */
  void leave() {
    left = true;
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
    if (left) {
      return;
    }
    Duration before = monotonic.now();
    NodeRegistry.RegisteredNode node = newNode.get();
    nodes.join(node, options.validity());
    NodeLease joined = new NodeLease(node.id(), before, before, false);
    if (!lease.compareAndSet(NodeLease.NONE, joined)) {
      // The node left while it was joining.
      nodes.leave(node.id());
    }
  }

  private void renew(UUID node) {
    Duration before = monotonic.now();
    List<RunningAttempt> runningBefore = reconciler.running();
    Optional<List<LeaseKey>> leases = nodes.renew(node, options.validity());
    if (leases.isEmpty()) {
      lease.updateAndGet(now -> now.holds(node) ? NodeLease.NONE : now);
      reconciler.nodeExpired(node);
      join();
      return;
    }
    Duration after = monotonic.now();
    boolean slow = after.minus(before).compareTo(options.renewInterval()) >= 0;
    lease.updateAndGet(now -> now.holds(node) ? now.renewed(before, after, slow) : now);
    reconciler.compare(node, runningBefore, leases.get());
  }
}
