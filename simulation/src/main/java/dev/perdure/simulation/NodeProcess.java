// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.Engine;
import dev.perdure.engine.HandlerOptions;
import dev.perdure.engine.LeaseTimes;
import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.Sources;
import dev.perdure.engine.TaskContext;
import dev.perdure.engine.Workers;
import dev.perdure.engine.store.Lease;
import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.task.Announcement;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One process of a node, from its start to its death: the real engine, and all that runs in it. */
final class NodeProcess implements Scheduler.Owner {

  static final List<String> KINDS = List.of("mail", "payment", "report");

  /** Low, so that it is reached. */
  private static final int LOSS_LIMIT = 1;

  private static final Duration WATCH_EVERY = Duration.ofMillis(500);
  private static final Duration RENEW_EVERY = LeaseTimes.DEFAULT.renewEvery();

  /**
   * Whoever does not try to renew its row for so long does not want to: the longest waits count.
   */
  private static final Duration NEGLECT =
      RENEW_EVERY.plus(ManualEngine.waitAfterFailure(Integer.MAX_VALUE)).plusMillis(500);

  private final World world;
  private final Host host;
  private final String name;
  private final int slots;
  private final ManualEngine engine;
  private final Set<Fiber> fibers = new LinkedHashSet<>();
  private final Set<Handler> handlers = new LinkedHashSet<>();
  private final List<Runnable> kept = new ArrayList<>();
  private final Instant bootedAt;
  private @Nullable Part claiming;
  private @Nullable Part settling;
  private @Nullable Lease starting;
  private Duration clockStoodStill = Duration.ZERO;
  private Instant lastTrouble = Instant.MIN;
  private Instant lastFrozen = Instant.MIN;
  private Instant lastRenewal;
  private Instant lastNeglect = Instant.MIN;
  private boolean renewing;
  private int slowCalls;
  private boolean dead;
  private boolean frozen;
  private boolean cutOff;
  private boolean stopping;
  private boolean endedInOrder;

  NodeProcess(World world, Host host, String name) {
    this.world = world;
    this.host = host;
    this.name = name;
    this.slots = world.chance.between(2, 5);
    this.bootedAt = world.now();
    this.lastRenewal = bootedAt;
    Sources sources =
        new Sources(host, this::monotonic, world.chance.another(), this::startHandler);
    engine =
        Engine.builder(store())
            .name(name)
            .slots(slots)
            .lossLimit(LOSS_LIMIT)
            .listener(new Hearsay(world, this))
            .announcer(NodeProcess::announce)
            .sources(sources)
            .buildManual();
    register();
  }

  private static List<Announcement> announce(Task before, Change change) {
    return change.to().isTerminal()
        ? List.of(new Announcement("end", TaskHistory.text(change)))
        : List.of();
  }

  private TaskStore store() {
    Site site = new Site(world, this, host);
    TaskStore database = world.bug.atTheDatabase(world.database, site);
    TaskStore audited = new AuditedStore(database, world, this);
    return world.bug.atTheNode(
        new FailingStore(audited, new Wire(world, this), world.ledger), site);
  }

  private void register() {
    Engine door = engine.engine();
    door.register("mail", Integer.class, this::handle);
    door.register("payment", Integer.class, this::handle, HandlerOptions.concurrency(1));
    door.register(
        "report",
        Integer.class,
        this::handle,
        HandlerOptions.none().withRetryIf(NodeProcess::isWorthARetry));
  }

  /** A predicate as users write them: it has a bug. */
  private static boolean isWorthARetry(Throwable thrown) {
    if (thrown instanceof Handler.Trouble trouble && trouble.breaksThePredicate()) {
      throw new IllegalStateException("the predicate broke");
    }
    return true;
  }

  private void handle(Integer payload, TaskContext context) throws Exception {
    Handler handler = world.executions.find(context.task().lease());
    if (handler != null) {
      handler.work(context);
    }
  }

  /** Lets every part of the node begin its loop. */
  void boot() {
    world.trace.line(name, "boots with " + slots + " slots");
    Part claims = new Part(world, this, this::claim);
    claiming = claims;
    settling = new Part(world, this, this::settle);
    begin(
        RENEW_EVERY,
        () -> {
          engine.renew();
          claims.wake();
        });
    begin(WATCH_EVERY, engine::watch);
    begin(world.chance.seconds(1, 2), engine::reconcile);
    begin(world.chance.seconds(1, 2), engine::report);
    begin(world.chance.seconds(1, 2), engine::timeOut);
    begin(world.chance.seconds(1, 2), engine::expire);
    begin(world.chance.seconds(1, 2), engine::reap);
  }

  private void begin(Duration every, Runnable work) {
    new Part(
        world,
        this,
        () -> {
          work.run();
          return every;
        });
  }

  private Duration claim() {
    Duration poll = Duration.ofSeconds(1);
    Duration next = stopping ? null : engine.claimAndTellNextDue();
    return next != null && next.compareTo(poll) < 0 ? next.plusMillis(1) : poll;
  }

  private Duration settle() {
    if (engine.settle() > 0 && claiming != null) {
      claiming.wake();
    }
    return Duration.ofSeconds(1);
  }

  private Workers.Worker startHandler(String what, Runnable work) {
    Lease lease = starting;
    if (lease == null) {
      throw new IllegalStateException("nobody said that this starts: " + what);
    }
    starting = null;
    Handler handler = new Handler(world, this, lease.task().lease(), work);
    handlers.add(handler);
    world.executions.started(handler);
    world.findings.require(
        handlers.size() <= slots && engine.held() <= slots,
        Invariant.WITHIN_SLOTS,
        "%s has %d slots, runs %d and holds %d"
            .formatted(name, slots, handlers.size(), engine.held()));
    return handler;
  }

  void starts(Lease lease) {
    starting = lease;
  }

  void handlerEnded(Handler handler) {
    handlers.remove(handler);
    world.executions.over(handler);
    if (settling != null) {
      settling.wake();
    }
  }

  /** A fiber that lives no longer than the process. */
  Fiber fiber(Runnable body) {
    fibers.removeIf(Fiber::isOver);
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
    run(this::finish);
  }

  private void finish() {
    world.scheduler.sleep(this, world.chance.seconds(0, 8));
    engine.interruptAll();
    awaitEnds();
    engine.handBackTheRest();
    awaitEnds();
    if (engine.held() == 0) {
      world.trace.saw(Situation.STOPPED_GRACEFULLY);
    }
    try {
      engine.leave();
      endedInOrder = engine.held() == 0;
    } catch (StoreException problem) {
      world.trace.line(name, "could not take its row away");
    }
    world.scheduler.after(Duration.ZERO, host::processEnded);
    world.scheduler.sleep(this, Duration.ofHours(1));
  }

  private void awaitEnds() {
    for (int i = 0; i < 20 && engine.held() > 0; i++) {
      world.scheduler.sleep(this, Duration.ofMillis(250));
    }
  }

  /** The process is gone, with all that ran in it. */
  void kill() {
    if (!handlers.isEmpty()) {
      world.trace.saw(Situation.CRASH_WHILE_RUNNING);
    }
    dead = true;
    handlers.forEach(world.executions::over);
    List.copyOf(fibers).forEach(world.scheduler::kill);
  }

  void freeze(boolean clockToo) {
    world.trace.line(name, "freezes" + (clockToo ? ", its clock too" : ""));
    frozen = true;
    troubled();
    lastFrozen = world.now();
    if (clockToo) {
      clockStoodStill = clockStoodStill.minus(sinceBoot());
    }
  }

  void thaw(boolean clockToo) {
    world.trace.line(name, "thaws");
    frozen = false;
    troubled();
    lastFrozen = world.now();
    if (clockToo) {
      clockStoodStill = clockStoodStill.plus(sinceBoot());
    }
    List<Runnable> events = List.copyOf(kept);
    kept.clear();
    events.forEach(event -> world.scheduler.after(Duration.ZERO, this, event));
  }

  private Duration sinceBoot() {
    return Duration.between(bootedAt, world.now());
  }

  private Duration monotonic() {
    return sinceBoot().minus(clockStoodStill);
  }

  void cutOff(boolean value) {
    world.trace.line(name, value ? "is cut off from the database" : "reaches the database again");
    cutOff = value;
    troubled();
  }

  boolean isCutOff() {
    return cutOff;
  }

  /** Something happened to this process alone: what it held may be lost. */
  void troubled() {
    lastTrouble = world.now();
  }

  /** A call begins, or ends, that takes long: as long as it does, there is trouble. */
  void slowCall(int change) {
    slowCalls += change;
    troubled();
  }

  boolean troubledSince(Instant instant) {
    return frozen || cutOff || slowCalls > 0 || !lastTrouble.isBefore(instant);
  }

  /** True when it died without having brought everything in order before. */
  boolean diedSuddenly() {
    return dead && !endedInOrder;
  }

  /** Does what keeps its row alive; it may take its time, but should not be long in coming. */
  <T> T renewing(Supplier<T> call) {
    noteNeglect();
    renewing = true;
    try {
      return call.get();
    } finally {
      renewing = false;
      lastRenewal = world.now();
    }
  }

  private void noteNeglect() {
    if (!renewing && lastRenewal.plus(NEGLECT).isBefore(world.now())) {
      lastNeglect = world.now();
    }
  }

  /** True when there was a time since then in which it could have renewed its row. */
  boolean neglectedItsRowSince(Instant instant) {
    noteNeglect();
    return !lastNeglect.isBefore(instant);
  }

  boolean frozeSince(Instant instant) {
    return frozen || !lastFrozen.isBefore(instant);
  }

  Instant lastFrozen() {
    return frozen ? world.now() : lastFrozen;
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
  public void keep(Runnable event) {
    kept.add(event);
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
