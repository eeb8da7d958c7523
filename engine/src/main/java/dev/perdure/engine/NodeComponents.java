// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.spi.NodeRegistry;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.Outcome;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * One node: all its moving parts, and no thread of its own. {@link Engine} gives each part a loop;
 * a simulation calls them one after the other, as its seed wants.
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
  final Reaper reaper;
  final TimeoutEnforcer timeoutEnforcer;
  final Expirer expirer;
  final Reconciler reconciler;
  final HeartbeatReporter heartbeatReporter;
  final OperatorCommands operatorCommands;
  final @Nullable DeliveryDispatcher deliveryDispatcher;
  final DeliveryWaker deliveryWaker = new DeliveryWaker();
  final ChangeWriter changeWriter;
  final Runner runner;
  final EngineListener listener;
  final TaskStore store;
  final EngineEnvironment.MonotonicClock monotonic;
  final EngineExecutor executor;
  private volatile boolean hintPending;

  NodeComponents(
      TaskStore store,
      EngineSettings engineSettings,
      EngineEnvironment engineEnvironment,
      JsonMapper mapper,
      EngineListener others) {
    this.store = store;
    this.settings = engineSettings;
    this.listener = new CompositeListener(List.of(others, deliveryWaker));
    this.monotonic = engineEnvironment.monotonic();
    this.executor = engineEnvironment.executor();
    IdGenerator ids = new IdGenerator(engineEnvironment.clock(), engineEnvironment.random());
    PayloadCodec payloadCodec = new PayloadCodec(mapper);
    inFlight = new InFlightAttempts(new Slots(engineSettings.slots()));
    submitter = new TaskSubmitter(ids, payloadCodec, store.shards());
    lifecycle =
        new TaskLifecycle(engineSettings.lossLimit(), engineSettings.deliveryPlanner(), ids::next);
    settler = new Settler(store, inFlight, lifecycle, listener);
    changeWriter = new ChangeWriter(store, inFlight, listener);
    reconciler = new Reconciler(store, inFlight, lifecycle, changeWriter);
    leaseKeeper =
        new NodeLeaseKeeper(
            store.nodes(),
            reconciler,
            engineSettings.nodeLease(),
            monotonic,
            () ->
                new NodeRegistry.RegisteredNode(
                    ids.next(0), engineSettings.name(), handlers.queues()),
            listener);
    LogContext logContext = new LogContext(engineSettings.name());
    runner =
        new Runner(
            handlers,
            payloadCodec,
            engineSettings.tracer(),
            lifecycle,
            engineEnvironment,
            settler,
            inFlight,
            logContext);
    claimer = new Claimer(store, leaseKeeper, inFlight, runner, monotonic, listener);
    reaper = new Reaper(store, leaseKeeper, lifecycle, changeWriter);
    timeoutEnforcer =
        new TimeoutEnforcer(store, leaseKeeper, lifecycle, changeWriter, inFlight, runner);
    expirer = new Expirer(store, lifecycle, changeWriter);
    heartbeatReporter = new HeartbeatReporter(store, inFlight, listener);
    operatorCommands = new OperatorCommands(store, changeWriter);
    DeliverySender deliverySender = engineSettings.deliverySender();
    deliveryDispatcher =
        deliverySender == null
            ? null
            : new DeliveryDispatcher(
                store.outbox(),
                deliverySender,
                engineSettings.deliveryOptions(),
                engineEnvironment,
                listener,
                logContext);
  }

  /** Judges the node itself and what it runs by the node's own clock. Never asks the store. */
  void watch() {
    leaseKeeper.stopIfOverdue();
    timeoutEnforcer.watch(monotonic.now());
  }

  /** Ends what the store knows to be silent; tells how many. */
  int timeOut() {
    return timeoutEnforcer.sweep(monotonic.now());
  }

  /** Somebody somewhere did something. */
  void hint() {
    hintPending = true;
  }

  /** Hands back what is held and does not run; after a hint it looks first for what was ended. */
  int reconcile() {
    boolean hinted = hintPending;
    hintPending = false;
    if (hinted && inFlight.unsettled() > 0) {
      leaseKeeper.reconcile();
    }
    return reconciler.runOnce();
  }

  /** Interrupts every handler; what they leave undone is handed back. */
  void interruptAll() {
    inFlight
        .all()
        .forEach(
            runningAttempt -> runningAttempt.stop(RunningAttempt.AttemptStopReason.NODE_STOPPING));
  }

  /** Hands back what still runs although it was interrupted; its late end will be refused. */
  void handBackRemaining() {
    inFlight.all().forEach(runningAttempt -> runner.end(runningAttempt, new Outcome.HandedBack()));
  }

  /** Deletes one batch of what has ended long ago; tells how many tasks. */
  int purge(int limit) {
    Duration age = settings.retention();
    return age == null ? 0 : store.maintenance().purge(age, limit);
  }

  /** Deletes some of the keys of submissions that are free again; tells how many. */
  int purgeSubmissionKeys(int limit) {
    return store.maintenance().purgeSubmissionKeys(limit);
  }
}
