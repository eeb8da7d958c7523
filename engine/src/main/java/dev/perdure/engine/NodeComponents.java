// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.query.NodeLoad;
import dev.perdure.engine.spi.NodeRegistry;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.KindLimit;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The parts of one node, without threads. {@link Engine} gives each part a loop; a simulation calls
 * them one after another in the order it chooses.
 */
final class NodeComponents {

  final HandlerRegistry handlers = new HandlerRegistry();
  final InFlightAttempts inFlight;
  final EngineSettings settings;
  final TaskSubmitter submitter;
  final TaskLifecycle lifecycle;
  final Settler settler;
  final NodeLeaseKeeper leaseKeeper;
  final Claimer claimer;
  final IdGenerator ids;
  final Scheduler scheduler;
  final Reaper reaper;
  final TimeoutEnforcer timeoutEnforcer;
  final DeadlineEnforcer expirer;
  final Reconciler reconciler;
  final HeartbeatReporter heartbeatReporter;
  final OperatorCommands operatorCommands;
  final @Nullable DeliveryDispatcher deliveryDispatcher;
  final DeliveryWaker deliveryWaker = new DeliveryWaker();
  private final LimitSweeper limitSweeper = new LimitSweeper();
  final ChangeApplier applier;
  final ChangeWriter changeWriter;
  final DependencyPropagator propagator;
  final BatchStopper batchStopper;
  final BulkCommands bulkCommands;
  final BatchRetrier batchRetrier;
  final Runner runner;
  final EngineListener listener;
  final RecentKinds remoteKinds;
  final RollupWriter rollupWriter;
  final TaskStore store;
  final EngineEnvironment.MonotonicClock monotonic;
  final DatabaseClock databaseClock;
  final EngineExecutor executor;
  private volatile boolean hintPending;

  NodeComponents(
      TaskStore store,
      EngineSettings settings,
      EngineEnvironment environment,
      JsonMapper mapper,
      EngineListener others) {
    this.store = store;
    this.settings = settings;
    RollupRecorder rollupRecorder = new RollupRecorder();
    this.listener = new CompositeListener(List.of(others, deliveryWaker, rollupRecorder));
    this.monotonic = environment.monotonic();
    this.databaseClock = new DatabaseClock(store, monotonic);
    this.executor = environment.executor();
    ids = new IdGenerator(environment.clock(), environment.random());
    remoteKinds = new RecentKinds(monotonic);
    rollupWriter = new RollupWriter(rollupRecorder, store, monotonic, ids.next(0));
    PayloadCodec payloadCodec = new PayloadCodec(mapper);
    inFlight = new InFlightAttempts(new Slots(settings.slots()));
    submitter = new TaskSubmitter(ids, payloadCodec, store.shards());
    lifecycle = new TaskLifecycle(settings.lossLimit(), settings.deliveryPlanner(), ids::next);
    applier = new ChangeApplier(store);
    settler = new Settler(store, applier, inFlight, lifecycle, listener);
    changeWriter = new ChangeWriter(applier, inFlight, listener);
    reconciler = new Reconciler(store, inFlight, lifecycle, changeWriter);
    leaseKeeper =
        new NodeLeaseKeeper(
            store.nodes(),
            reconciler,
            settings.nodeLease(),
            monotonic,
            () -> new NodeRegistry.RegisteredNode(ids.next(0), settings.name(), handlers.queues()),
            listener);
    LogContext logContext = new LogContext(settings.name());
    runner =
        new Runner(
            handlers,
            payloadCodec,
            settings.tracer(),
            lifecycle,
            environment,
            settler,
            inFlight,
            store.batches(),
            logContext);
    claimer = new Claimer(store, leaseKeeper, inFlight, runner, monotonic, listener, this::declare);
    reaper = new Reaper(store, leaseKeeper, lifecycle, changeWriter);
    timeoutEnforcer =
        new TimeoutEnforcer(store, leaseKeeper, lifecycle, changeWriter, inFlight, runner);
    expirer = new DeadlineEnforcer(store, lifecycle, changeWriter);
    heartbeatReporter = new HeartbeatReporter(store, inFlight, listener);
    operatorCommands = new OperatorCommands(store, lifecycle, applier, changeWriter);
    propagator = new DependencyPropagator(store, lifecycle, changeWriter, listener);
    RunDecider runDecider = new RunDecider(settings.deliveryPlanner(), ids::next);
    batchRetrier = new BatchRetrier(store, runDecider, ids, listener);
    scheduler = new Scheduler(store, ids, listener);
    batchStopper = new BatchStopper(store, lifecycle, changeWriter);
    bulkCommands = new BulkCommands(store, lifecycle, changeWriter);
    deliveryDispatcher = deliveryDispatcher(environment, logContext);
  }

  private @Nullable DeliveryDispatcher deliveryDispatcher(
      EngineEnvironment environment, LogContext logContext) {
    DeliverySender sender = settings.deliverySender();
    return sender == null
        ? null
        : new DeliveryDispatcher(
            store.outbox(), sender, settings.deliveryOptions(), environment, listener, logContext);
  }

  /** Stores the limits in the options of handlers. */
  private void declare() {
    new EngineLimits(store, () -> {}).declare(KindLimit.Source.CODE, handlers.limits());
  }

  /**
   * Checks the node's lease and the timeouts of its handlers by the node's own clock. Never asks
   * the store.
   */
  void watch() {
    leaseKeeper.stopIfOverdue();
    timeoutEnforcer.watch(monotonic.now());
  }

  /** Times out callees and attempts that no node runs; returns how many. */
  int timeOut() {
    return timeoutEnforcer.sweep(monotonic.now());
  }

  /** Another node may have changed something. */
  void hint() {
    hintPending = true;
  }

  /**
   * Hands back leases that do not run here; after a wake-up it first compares leases, to find
   * canceled attempts.
   */
  int reconcile() {
    boolean hinted = hintPending;
    hintPending = false;
    if (hinted && inFlight.unsettled() > 0) {
      leaseKeeper.reconcile();
    }
    return reconciler.runOnce();
  }

  /** Interrupts all handlers; unfinished attempts are handed back. */
  void interruptAll() {
    inFlight.all().forEach(running -> running.stop(RunningAttempt.AttemptStopReason.NODE_STOPPING));
  }

  /** Hands back attempts whose handlers ignore the interrupt; their late end will be refused. */
  void handBackRemaining() {
    inFlight.all().forEach(running -> runner.end(running, new Outcome.HandedBack()));
  }

  /** Purges ended tasks; returns how many. */
  int purge(int limit) {
    Duration age = settings.retention();
    return age == null ? 0 : store.maintenance().purge(age, limit);
  }

  /** Checks some of the limits; returns how many it corrected. */
  int sweepLimits() {
    return limitSweeper.runOnce(store, listener);
  }

  /** Reports what the node does. It is for people to see, so a failure must not end a renewal. */
  void reportLoad() {
    UUID id = leaseKeeper.activeNode();
    if (id == null) {
      return;
    }
    try {
      int busy = settings.slots() - inFlight.slots().free();
      store
          .overview()
          .reportLoad(
              id, new NodeLoad(settings.version(), settings.slots(), busy, remoteKinds.all()));
    } catch (StoreException problem) {
      listener.onStoreError("report-load", problem);
    }
  }

  /** Purges old rollups; returns how many. */
  int purgeRollups(int limit) {
    return store.rollups().purge(limit);
  }

  /** Purges expired submission keys; returns how many. */
  int purgeSubmissionKeys(int limit) {
    return store.maintenance().purgeSubmissionKeys(limit);
  }
}
