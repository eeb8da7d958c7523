// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.store.NodeBook;
import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.task.LeaseKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
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

  /** Ids whose rows ran out and under which something may still be held. */
  private final Set<UUID> former = new LinkedHashSet<>();

  private volatile Standing standing = Standing.NONE;

  /**
   * @param node the row that is held, or null when none is
   * @param since when it was first held, without a break
   * @param renewed before the last renewal was sent
   * @param stopped true when the node stopped its own work
   */
  private record Standing(@Nullable UUID node, Duration since, Duration renewed, boolean stopped) {

    static final Standing NONE = new Standing(null, Duration.ZERO, Duration.ZERO, true);

    /** The same row, but not held without a break before this. */
    Standing brokenUntil(Duration tick) {
      return new Standing(node, tick, renewed, stopped);
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
    Standing now = standing;
    return now.stopped() || tooOld(now) ? null : now.node();
  }

  /** True when what was asked at this time and is answered now can still be trusted. */
  boolean isInTime(Duration asked) {
    return monotonic.now().minus(asked).compareTo(times.stopAfter()) < 0;
  }

  /** True when the row was held without a break for long enough to judge others. */
  boolean mayJudge() {
    Standing now = standing;
    return nodeThatMayWork() != null
        && monotonic.now().minus(now.since()).compareTo(times.steadyBeforeReaping()) >= 0;
  }

  /** Renews the row, or joins with a new one. */
  void runOnce() {
    try {
      UUID node = standing.node();
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
  private synchronized void breakSteadiness() {
    standing = standing.brokenUntil(monotonic.now());
  }

  /** Stops the node's own work when the renewal is overdue. Never asks the store. */
  void watch() {
    UUID stopped = null;
    synchronized (this) {
      Standing now = standing;
      if (now.node() != null && !now.stopped() && tooOld(now)) {
        standing = new Standing(now.node(), now.since(), now.renewed(), true);
        stopped = now.node();
      }
    }
    if (stopped != null) {
      listener.onSelfStop();
      reconciler.stopAll(stopped);
    }
  }

  /** Gives up the row; what is still held is for others to find. */
  void leave() {
    Standing now = standing;
    standing = Standing.NONE;
    if (now.node() != null) {
      nodes.leave(now.node());
    }
  }

  private boolean tooOld(Standing now) {
    return !isInTime(now.renewed());
  }

  private void join() {
    Duration before = monotonic.now();
    NodeBook.Node node = newNode.get();
    nodes.join(node, times.validity());
    standing = new Standing(node.id(), before, before, false);
  }

  private void renew(UUID node) {
    Duration before = monotonic.now();
    List<Running> runningBefore = reconciler.running();
    Optional<List<LeaseKey>> held = nodes.renew(node, times.validity());
    if (held.isEmpty()) {
      standing = Standing.NONE;
      reconciler.stopAll(node);
      former.add(node);
      join();
      return;
    }
    Duration after = monotonic.now();
    boolean slow = after.minus(before).compareTo(times.renewEvery()) >= 0;
    synchronized (this) {
      // After a stop the row may turn out to be alive still: then the node works again, but has not
      // held it without a break. A store that hangs is as good as away.
      Duration since = standing.stopped() || slow ? after : standing.since();
      standing = new Standing(node, since, before, false);
    }
    reconciler.compare(node, runningBefore, withWhatFormerIdsHold(held.get()));
  }

  /**
   * A claim whose answer was lost in an outage that outlived the row: nobody else can know that it
   * never ran.
   */
  private List<LeaseKey> withWhatFormerIdsHold(List<LeaseKey> held) {
    List<LeaseKey> all = new ArrayList<>(held);
    for (UUID node : List.copyOf(former)) {
      List<LeaseKey> left = nodes.held(node);
      if (left.isEmpty()) {
        former.remove(node);
      }
      all.addAll(left);
    }
    return all;
  }
}
