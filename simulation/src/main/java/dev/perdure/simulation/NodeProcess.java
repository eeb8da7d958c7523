// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineEnvironment;
import dev.perdure.engine.EngineExecutor;
import dev.perdure.engine.HandlerOptions;
import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.NodeLeaseOptions;
import dev.perdure.engine.TaskContext;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One node process from start to end: the real engine with its loops and handlers. */
final class NodeProcess implements EventScheduler.Owner {

  static final List<String> KINDS = List.of("mail", "payment", "report");

  /** Low, so that runs reach it. */
  private static final int LOSS_LIMIT = 1;

  private static final Duration WATCH_EVERY = Duration.ofMillis(500);
  private static final Duration RENEW_EVERY = NodeLeaseOptions.DEFAULT.renewInterval();

  /**
   * The longest gap between two renewal attempts: the interval, the longest wait after a failure,
   * and some tolerance.
   */
  private static final Duration MAX_RENEWAL_GAP =
      RENEW_EVERY.plus(ManualEngine.waitAfterFailure(Integer.MAX_VALUE)).plusMillis(500);

  private final World world;
  private final Host host;
  private final String name;
  private final int slots;
  private final ManualEngine engine;
  private final Set<Fiber> fibers = new LinkedHashSet<>();
  private final Set<SimulatedExecution> executions = new LinkedHashSet<>();
  private final List<Runnable> deferred = new ArrayList<>();
  private final Instant bootedAt;
  private @Nullable NodeLoop claimLoop;
  private @Nullable NodeLoop settleLoop;
  private @Nullable NodeLoop propagateLoop;
  private @Nullable Lease starting;
  private Duration clockPausedFor = Duration.ZERO;
  private Instant lastDisturbedAt = Instant.MIN;
  private Instant lastFrozenAt = Instant.MIN;
  private Instant lastRenewalAt;
  private Instant lastMissedRenewalAt = Instant.MIN;
  private boolean renewing;
  private int slowCalls;
  private boolean dead;
  private boolean frozen;
  private boolean partitioned;
  private boolean stopping;
  private boolean leaving;
  private boolean stoppedCleanly;

  NodeProcess(World world, Host host, String name) {
    this.world = world;
    this.host = host;
    this.name = name;
    this.slots = world.random.between(2, 5);
    this.bootedAt = world.now();
    this.lastRenewalAt = bootedAt;
    EngineEnvironment environment =
        new EngineEnvironment(host, this::monotonic, world.random.split(), this::startHandler);
    engine =
        Engine.builder(store())
            .name(name)
            .slots(slots)
            .lossLimit(LOSS_LIMIT)
            .listener(new InvariantCheckingListener(world, this))
            .deliveryPlanner(new EndDeliveries())
            .environment(environment)
            .buildManual();
    register();
  }

  private TaskStore store() {
    TaskStore database =
        world.bug.wrapDatabase(world.database, world.scheduler.clock(), host.zone());
    TaskStore checked = new InvariantCheckingStore(database, world, this);
    TaskStore remote =
        new FailingStore(checked, new UnreliableConnection(world, this), world.checker);
    return world.bug.wrapNodeStore(
        remote, this::runLater, line -> world.trace.line(name, line), world.rules);
  }

  private void runLater(Runnable body) {
    run(
        () -> {
          world.scheduler.sleep(this, world.random.millis(1, 200));
          body.run();
        });
  }

  private void register() {
    engine().register("mail", Integer.class, this::handle);
    engine().register("payment", Integer.class, this::handle, HandlerOptions.concurrency(1));
    engine()
        .register(
            "report",
            Integer.class,
            this::handle,
            HandlerOptions.defaults().withRetryIf(NodeProcess::isRetryable));
  }

  /** A user predicate with a bug: it sometimes throws. */
  private static boolean isRetryable(Throwable thrown) {
    if (thrown instanceof SimulatedExecution.SimulatedException exception
        && exception.failsPredicate()) {
      throw new IllegalStateException("the predicate failed");
    }
    return true;
  }

  private void handle(Integer payload, TaskContext context) throws Exception {
    SimulatedExecution execution = world.executions.find(context.task().lease());
    if (execution != null) {
      execution.runHandler(context);
    }
  }

  /** Starts the loops of the node. */
  void boot() {
    world.trace.line(name, "starts with " + slots + " slots");
    NodeLoop claims = new NodeLoop(world, this, this::claim);
    claimLoop = claims;
    settleLoop = new NodeLoop(world, this, this::settle);
    propagateLoop = NodeLoop.waking(world, this, engine::propagate, claims);
    NodeLoop.waking(world, this, engine::retryBatches, claims);
    startLoop(
        RENEW_EVERY,
        () -> {
          engine.renew();
          claims.wake();
        });
    startLoop(WATCH_EVERY, engine::watch);
    startLoop(world.firesEvery, engine::fireSchedules);
    startLoop(world.random.seconds(1, 2), engine::reconcile);
    startLoop(world.random.seconds(1, 2), engine::sendHeartbeats);
    startLoop(world.random.seconds(1, 2), engine::timeOut);
    startLoop(world.random.seconds(1, 2), engine::expire);
    startLoop(world.random.seconds(1, 2), engine::reap);
    if (world.sweepsLimits) {
      startLoop(world.random.seconds(2, 10), engine::sweepLimits);
    }
  }

  private void startLoop(Duration every, Runnable work) {
    NodeLoop.every(world, this, every, work);
  }

  private Duration claim() {
    Duration next = stopping ? null : engine.claimAndReturnNextDue();
    return Duration.ofMillis(next == null ? 1000 : Math.min(next.toMillis() + 1, 1000));
  }

  private Duration settle() {
    if (engine.settle() > 0) {
      Stream.of(claimLoop, propagateLoop).filter(Objects::nonNull).forEach(NodeLoop::wake);
    }
    return Duration.ofSeconds(1);
  }

  private EngineExecutor.Interruptible startHandler(String what, Runnable work) {
    Lease lease = starting;
    if (lease == null) {
      throw new IllegalStateException("started without a lease: " + what);
    }
    starting = null;
    SimulatedExecution execution = new SimulatedExecution(world, this, lease.task().lease(), work);
    executions.add(execution);
    world.executions.started(execution);
    world.violations.require(
        executions.size() <= slots && engine.unsettled() <= slots,
        Invariant.WITHIN_SLOTS,
        "%s has %d slots, but %d running and %d unsettled attempts"
            .formatted(name, slots, executions.size(), engine.unsettled()));
    return execution;
  }

  void handlerStarting(Lease lease) {
    starting = lease;
  }

  void handlerEnded(SimulatedExecution execution) {
    executions.remove(execution);
    world.executions.ended(execution);
    if (settleLoop != null) {
      settleLoop.wake();
    }
  }

  /** Creates a fiber that ends with the process. */
  Fiber fiber(Runnable body) {
    fibers.removeIf(Fiber::isEnded);
    Fiber fiber = new Fiber(body);
    fibers.add(fiber);
    return fiber;
  }

  /** Runs the body in the process, concurrently with everything else. */
  void run(Runnable body) {
    Fiber fiber = fiber(body);
    world.scheduler.after(Duration.ZERO, this, () -> world.scheduler.resume(fiber));
  }

  /**
   * Stops like {@link Engine#stop}: stops claiming, waits for handlers, interrupts them, and
   * leaves.
   */
  void stop() {
    stopping = true;
    engine.stopClaiming();
    world.trace.line(name, "starts to stop");
    run(this::drainAndLeave);
  }

  private void drainAndLeave() {
    world.scheduler.sleep(this, world.random.seconds(0, 8));
    engine.interruptAll();
    awaitHandlers();
    engine.handBackRemaining();
    awaitHandlers();
    if (engine.unsettled() == 0) {
      world.trace.covered(CoveragePoint.STOPPED_GRACEFULLY);
    }
    leaving = true;
    try {
      engine.leave();
      stoppedCleanly = engine.unsettled() == 0;
    } catch (StoreException failure) {
      world.trace.line(name, "could not leave");
    }
    world.scheduler.after(Duration.ZERO, host::processEnded);
    world.scheduler.sleep(this, Duration.ofHours(1));
  }

  private void awaitHandlers() {
    for (int i = 0; i < 20 && engine.unsettled() > 0; i++) {
      world.scheduler.sleep(this, Duration.ofMillis(250));
    }
  }

  /** Kills the process and everything that runs in it. */
  void kill() {
    if (!executions.isEmpty()) {
      world.trace.covered(CoveragePoint.CRASH_WHILE_RUNNING);
    }
    dead = true;
    executions.forEach(world.executions::ended);
    List.copyOf(fibers).forEach(world.scheduler::kill);
  }

  void freeze(boolean withClock) {
    world.trace.line(name, "freezes" + (withClock ? " with its clock" : ""));
    frozen = true;
    markDisturbed();
    lastFrozenAt = world.now();
    if (withClock) {
      clockPausedFor = clockPausedFor.minus(sinceBoot());
    }
  }

  void thaw(boolean withClock) {
    world.trace.line(name, "thaws");
    frozen = false;
    markDisturbed();
    lastFrozenAt = world.now();
    if (withClock) {
      clockPausedFor = clockPausedFor.plus(sinceBoot());
    }
    List<Runnable> events = List.copyOf(deferred);
    deferred.clear();
    events.forEach(event -> world.scheduler.after(Duration.ZERO, this, event));
  }

  private Duration sinceBoot() {
    return Duration.between(bootedAt, world.now());
  }

  private Duration monotonic() {
    return sinceBoot().minus(clockPausedFor);
  }

  void setPartitioned(boolean value) {
    world.trace.line(name, value ? "loses its connection to the database" : "is connected again");
    partitioned = value;
    markDisturbed();
  }

  boolean isPartitioned() {
    return partitioned;
  }

  /** Records a fault of this process alone, which can explain the loss of its tasks. */
  void markDisturbed() {
    lastDisturbedAt = world.now();
  }

  /** Counts a slow call that starts (1) or ends (-1). The process is disturbed during the call. */
  void slowCall(int change) {
    slowCalls += change;
    markDisturbed();
  }

  boolean disturbedSince(Instant instant) {
    return frozen || partitioned || slowCalls > 0 || !lastDisturbedAt.isBefore(instant);
  }

  /** Returns whether the process died before it had settled everything and left. */
  boolean diedUncleanly() {
    return dead && !stoppedCleanly;
  }

  /** Makes a call that renews the node lease. The call may be slow, but must not be overdue. */
  <T> T renewing(Supplier<T> call) {
    noteMissedRenewal();
    renewing = true;
    try {
      return call.get();
    } finally {
      renewing = false;
      lastRenewalAt = world.now();
    }
  }

  private void noteMissedRenewal() {
    if (!renewing && lastRenewalAt.plus(MAX_RENEWAL_GAP).isBefore(world.now())) {
      lastMissedRenewalAt = world.now();
    }
  }

  /** Whether it failed to try a renewal in time since the instant, before it began to leave. */
  boolean missedRenewalSince(Instant instant) {
    noteMissedRenewal();
    return !leaving && !lastMissedRenewalAt.isBefore(instant);
  }

  boolean frozeSince(Instant instant) {
    return frozen || !lastFrozenAt.isBefore(instant);
  }

  Instant lastFrozenAt() {
    return frozen ? world.now() : lastFrozenAt;
  }

  void requireAlive() {
    if (dead) {
      throw new Fiber.Killed();
    }
  }

  @Override
  public boolean isDead() {
    return dead;
  }

  @Override
  public boolean isFrozen() {
    return frozen;
  }

  @Override
  public void defer(Runnable event) {
    deferred.add(event);
  }

  boolean hasFreeSlot(String kind) {
    int taken = Math.max(executions.size(), engine.unsettled());
    return taken < (kind.equals("payment") ? 1 : slots);
  }

  boolean isStopping() {
    return stopping;
  }

  Engine engine() {
    return engine.engine();
  }

  String name() {
    return name;
  }
}
