// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.store.NodeBook;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.task.Lifecycle;
import dev.perdure.engine.task.Outcome;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * One node: all its moving parts, and no thread of its own. {@link Engine} gives each part a loop;
 * a simulation calls them one after the other, as its seed wants.
 */
final class Node {

  final Handlers handlers = new Handlers();
  final InFlight inFlight;
  final Settings settings;
  final Submitter submitter;
  final Lifecycle lifecycle;
  final Settler settler;
  final LeaseKeeper keeper;
  final Claimer claimer;
  final Reaper reaper;
  final Timekeeper timekeeper;
  final Expirer expirer;
  final Reconciler reconciler;
  final Reporter reporter;
  final Operator operator;
  final @Nullable Deliverer deliverer;
  final DeliveryBell deliveryBell = new DeliveryBell();
  final Changes changes;
  final Runner runner;
  final EngineListener listener;
  final TaskStore store;
  final Sources.Monotonic monotonic;
  final Workers workers;
  private volatile boolean heard;

  Node(
      TaskStore store,
      Settings settings,
      Sources sources,
      JsonMapper mapper,
      EngineListener others) {
    this.store = store;
    this.settings = settings;
    this.listener = new Listeners(List.of(others, deliveryBell));
    this.monotonic = sources.monotonic();
    this.workers = sources.workers();
    TaskIds ids = new TaskIds(sources.clock(), sources.random());
    Payloads payloads = new Payloads(mapper);
    inFlight = new InFlight(new Slots(settings.slots()));
    submitter = new Submitter(ids, payloads, store.shards());
    lifecycle = new Lifecycle(settings.lossLimit(), settings.announcer(), ids::next);
    settler = new Settler(store, inFlight, lifecycle, listener);
    changes = new Changes(store, inFlight, listener);
    reconciler = new Reconciler(store, inFlight, lifecycle, changes);
    keeper =
        new LeaseKeeper(
            store.nodes(),
            reconciler,
            settings.leases(),
            monotonic,
            () -> new NodeBook.Node(ids.next(0), settings.name(), handlers.kinds()),
            listener);
    Means means = new Means(payloads, settings.tracer());
    runner = new Runner(handlers, means, lifecycle, sources, settler, inFlight);
    claimer = new Claimer(store, keeper, inFlight, runner, monotonic, listener);
    reaper = new Reaper(store, keeper, lifecycle, changes);
    timekeeper = new Timekeeper(store, keeper, lifecycle, changes, inFlight, runner);
    expirer = new Expirer(store, lifecycle, changes);
    reporter = new Reporter(store, inFlight, listener);
    operator = new Operator(store, changes);
    Courier courier = settings.courier();
    deliverer =
        courier == null
            ? null
            : new Deliverer(store.outbox(), courier, settings.deliveries(), sources, listener);
  }

  /** Judges the node itself and what it runs by the node's own clock. Never asks the store. */
  void watch() {
    keeper.watch();
    timekeeper.watch(monotonic.now());
  }

  /** Ends what the store knows to be silent; tells how many. */
  int timeOut() {
    return timekeeper.sweep(monotonic.now());
  }

  /** Somebody somewhere did something. */
  void hear() {
    heard = true;
  }

  /** Hands back what is held and does not run; after a hint it looks first for what was ended. */
  int reconcile() {
    boolean hinted = heard;
    heard = false;
    if (hinted && inFlight.unsettled() > 0) {
      keeper.compare();
    }
    return reconciler.runOnce();
  }

  /** Interrupts every handler; what they leave undone is handed back. */
  void interruptAll() {
    inFlight.all().forEach(running -> running.stop(Running.Stop.NODE_STOPS));
  }

  /** Hands back what still runs although it was interrupted; its late end will be refused. */
  void handBackTheRest() {
    inFlight.all().forEach(running -> runner.end(running, new Outcome.HandedBack()));
  }

  /** Deletes one batch of what has ended long ago; tells how many tasks. */
  int purge(int limit) {
    Duration age = settings.retention();
    return age == null ? 0 : store.sweeps().purge(age, limit);
  }

  /** Deletes some of the keys of submissions that are free again; tells how many. */
  int forget(int limit) {
    return store.sweeps().forget(limit);
  }
}
