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
import dev.perdure.engine.task.DeliveryMessage;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One process of a node, from its start to its death: the real engine, and all that runs in it. */
final class NodeProcess implements EventScheduler.Owner {

  static final List<String> KINDS = List.of("mail", "payment", "report");

  /** Low, so that it is reached. */
  private static final int LOSS_LIMIT = 1;

  private static final Duration WATCH_EVERY = Duration.ofMillis(500);
  private static final Duration RENEW_EVERY = NodeLeaseOptions.DEFAULT.renewInterval();

  /**
   * Whoever does not try to renew its row for so long does not want to: the longest waits count.
   */
  private static final Duration MAX_RENEWAL_GAP =
      RENEW_EVERY.plus(ManualEngine.waitAfterFailure(Integer.MAX_VALUE)).plusMillis(500);

  private final World world;
  private final Host host;
  private final String name;
  private final int slots;
  private final ManualEngine engine;
  private final Set<Fiber> fibers = new LinkedHashSet<>();
  private final Set<SimulatedExecution> simulatedExecutions = new LinkedHashSet<>();
  private final List<Runnable> deferred = new ArrayList<>();
  private final Instant bootedAt;
  private @Nullable NodeLoop claimLoop;
  private @Nullable NodeLoop settleLoop;
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
  private boolean stoppedCleanly;

  NodeProcess(World world, Host host, String name) {
    this.world = world;
    this.host = host;
    this.name = name;
    this.slots = world.random.between(2, 5);
    this.bootedAt = world.now();
    this.lastRenewalAt = bootedAt;
    EngineEnvironment engineEnvironment =
        new EngineEnvironment(host, this::monotonic, world.random.split(), this::startHandler);
    engine =
        Engine.builder(store())
            .name(name)
            .slots(slots)
            .lossLimit(LOSS_LIMIT)
            .listener(new InvariantCheckingListener(world, this))
            .deliveryPlanner(NodeProcess::planDeliveries)
            .environment(engineEnvironment)
            .buildManual();
    register();
  }

  private static List<DeliveryMessage> planDeliveries(Task before, TaskChange taskChange) {
    return taskChange.to().isTerminal()
        ? List.of(new DeliveryMessage("end", TaskChecker.describeEnd(taskChange)))
        : List.of();
  }

  private TaskStore store() {
    Site site = new Site(world, this, host);
    TaskStore database = world.bug.wrapDatabase(world.database, site);
    TaskStore audited = new InvariantCheckingStore(database, world, this);
    return world.bug.wrapNodeStore(
        new FailingStore(audited, new UnreliableConnection(world, this), world.checker), site);
  }

  private void register() {
    Engine door = engine.engine();
    door.register("mail", Integer.class, this::handle);
    door.register("payment", Integer.class, this::handle, HandlerOptions.concurrency(1));
    door.register(
        "report",
        Integer.class,
        this::handle,
        HandlerOptions.defaults().withRetryIf(NodeProcess::isRetryable));
  }

  /** A predicate as users write them: it has a bug. */
  private static boolean isRetryable(Throwable thrown) {
    if (thrown instanceof SimulatedExecution.SimulatedException simulatedException
        && simulatedException.failsPredicate()) {
      throw new IllegalStateException("the predicate broke");
    }
    return true;
  }

  private void handle(Integer payload, TaskContext context) throws Exception {
    SimulatedExecution simulatedExecution = world.executions.find(context.task().lease());
    if (simulatedExecution != null) {
      simulatedExecution.runHandler(context);
    }
  }

  /** Lets every part of the node begin its loop. */
  void boot() {
    world.trace.line(name, "boots with " + slots + " slots");
    NodeLoop claims = new NodeLoop(world, this, this::claim);
    claimLoop = claims;
    settleLoop = new NodeLoop(world, this, this::settle);
    startLoop(
        RENEW_EVERY,
        () -> {
          engine.renew();
          claims.wake();
        });
    startLoop(WATCH_EVERY, engine::watch);
    startLoop(world.random.seconds(1, 2), engine::reconcile);
    startLoop(world.random.seconds(1, 2), engine::sendHeartbeats);
    startLoop(world.random.seconds(1, 2), engine::timeOut);
    startLoop(world.random.seconds(1, 2), engine::expire);
    startLoop(world.random.seconds(1, 2), engine::reap);
  }

  private void startLoop(Duration every, Runnable work) {
    new NodeLoop(
        world,
        this,
        () -> {
          work.run();
          return every;
        });
  }

  private Duration claim() {
    Duration poll = Duration.ofSeconds(1);
    Duration next = stopping ? null : engine.claimAndReturnNextDue();
    return next != null && next.compareTo(poll) < 0 ? next.plusMillis(1) : poll;
  }

  private Duration settle() {
    if (engine.settle() > 0 && claimLoop != null) {
      claimLoop.wake();
    }
    return Duration.ofSeconds(1);
  }

  private EngineExecutor.Interruptible startHandler(String what, Runnable work) {
    Lease lease = starting;
    if (lease == null) {
      throw new IllegalStateException("nobody said that this starts: " + what);
    }
    starting = null;
    SimulatedExecution simulatedExecution =
        new SimulatedExecution(world, this, lease.task().lease(), work);
    simulatedExecutions.add(simulatedExecution);
    world.executions.started(simulatedExecution);
    world.violations.require(
        simulatedExecutions.size() <= slots && engine.unsettled() <= slots,
        Invariant.WITHIN_SLOTS,
        "%s has %d slots, runs %d and holds %d"
            .formatted(name, slots, simulatedExecutions.size(), engine.unsettled()));
    return simulatedExecution;
  }

  void handlerStarting(Lease lease) {
    starting = lease;
  }

  void handlerEnded(SimulatedExecution simulatedExecution) {
    simulatedExecutions.remove(simulatedExecution);
    world.executions.ended(simulatedExecution);
    if (settleLoop != null) {
      settleLoop.wake();
    }
  }

  /** A fiber that lives no longer than the process. */
  Fiber fiber(Runnable body) {
    fibers.removeIf(Fiber::isEnded);
    Fiber fiber = new Fiber(body);
    fibers.add(fiber);
    return fiber;
  }

  /** Runs this in the process, beside everything else. */
  void run(Runnable body) {
    Fiber fiber = fiber(body);
    world.scheduler.after(Duration.ZERO, this, () -> world.scheduler.resume(fiber));
  }

  /** What {@link Engine#stop} does: no more claims, a while to finish, interrupts, the row goes. */
  void stop() {
    stopping = true;
    engine.stopClaiming();
    world.trace.line(name, "is told to stop");
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
    try {
      engine.leave();
      stoppedCleanly = engine.unsettled() == 0;
    } catch (StoreException problem) {
      world.trace.line(name, "could not take its row away");
    }
    world.scheduler.after(Duration.ZERO, host::processEnded);
    world.scheduler.sleep(this, Duration.ofHours(1));
  }

  private void awaitHandlers() {
    for (int i = 0; i < 20 && engine.unsettled() > 0; i++) {
      world.scheduler.sleep(this, Duration.ofMillis(250));
    }
  }

  /** The process is gone, with all that ran in it. */
  void kill() {
    if (!simulatedExecutions.isEmpty()) {
      world.trace.covered(CoveragePoint.CRASH_WHILE_RUNNING);
    }
    dead = true;
    simulatedExecutions.forEach(world.executions::ended);
    List.copyOf(fibers).forEach(world.scheduler::kill);
  }

  void freeze(boolean clockToo) {
    world.trace.line(name, "freezes" + (clockToo ? ", its clock too" : ""));
    frozen = true;
    markDisturbed();
    lastFrozenAt = world.now();
    if (clockToo) {
      clockPausedFor = clockPausedFor.minus(sinceBoot());
    }
  }

  void thaw(boolean clockToo) {
    world.trace.line(name, "thaws");
    frozen = false;
    markDisturbed();
    lastFrozenAt = world.now();
    if (clockToo) {
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
    world.trace.line(name, value ? "is cut off from the database" : "reaches the database again");
    partitioned = value;
    markDisturbed();
  }

  boolean isPartitioned() {
    return partitioned;
  }

  /** Something happened to this process alone: what it held may be lost. */
  void markDisturbed() {
    lastDisturbedAt = world.now();
  }

  /** A call begins, or ends, that takes long: as long as it does, there is trouble. */
  void slowCall(int change) {
    slowCalls += change;
    markDisturbed();
  }

  boolean disturbedSince(Instant instant) {
    return frozen || partitioned || slowCalls > 0 || !lastDisturbedAt.isBefore(instant);
  }

  /** True when it died without having brought everything in order before. */
  boolean diedUncleanly() {
    return dead && !stoppedCleanly;
  }

  /** Does what keeps its row alive; it may take its time, but should not be long in coming. */
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

  /** True when there was a time since then in which it could have renewed its row. */
  boolean missedRenewalSince(Instant instant) {
    noteMissedRenewal();
    return !lastMissedRenewalAt.isBefore(instant);
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
