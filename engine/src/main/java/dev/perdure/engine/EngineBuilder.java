// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.internal.LossLimit;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.DeliveryPlanner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Builds an {@link Engine}. Every option has a default. */
public final class EngineBuilder {

  static final int DEFAULT_SLOTS = 100;
  static final int MAX_SLOTS = 10_000;
  static final int DEFAULT_MAX_WAITING_WORKERS = 500;

  private final TaskStore store;
  private final List<EngineListener> listeners = new ArrayList<>();
  private String name = "node";
  private String version = "";
  private int slots = DEFAULT_SLOTS;
  private Duration pollInterval = Duration.ofSeconds(1);
  private NodeLeaseOptions nodeLease = NodeLeaseOptions.DEFAULT;
  private LossLimit lossLimit = LossLimit.DEFAULT;
  private @Nullable Duration retention;
  private DeliveryPlanner deliveryPlanner = DeliveryPlanner.NONE;
  private @Nullable DeliverySender deliverySender;
  private DeliveryOptions deliveryOptions = DeliveryOptions.DEFAULT;
  private TaskTracer taskTracer = TaskTracer.NONE;
  private int maxWaitingWorkers = DEFAULT_MAX_WAITING_WORKERS;
  private JsonMapper mapper = JsonMapper.shared();
  private EngineEnvironment environment = SystemEnvironment.create();

  EngineBuilder(TaskStore store) {
    this.store = requireNonNull(store, "store");
  }

  /** The name of the node to show. */
  public EngineBuilder name(String value) {
    name = requireNonNull(value, "name");
    return this;
  }

  /** The version of the program to show, for example after a rolling upgrade; none by default. */
  public EngineBuilder version(String value) {
    version = requireNonNull(value, "version");
    return this;
  }

  /** How many attempts run at once on this node; 100 by default. */
  public EngineBuilder slots(int value) {
    if (value < 1 || value > MAX_SLOTS) {
      throw new IllegalArgumentException("slots: must be 1 to " + MAX_SLOTS + ", not " + value);
    }
    slots = value;
    return this;
  }

  /** How often to look for tasks without a wake-up; every second by default. */
  public EngineBuilder pollInterval(Duration value) {
    if (value.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException("pollInterval: must be 1 ms or more, not " + value);
    }
    pollInterval = value;
    return this;
  }

  /** How the node renews its lease. */
  public EngineBuilder nodeLease(NodeLeaseOptions value) {
    nodeLease = requireNonNull(value, "nodeLease");
    return this;
  }

  /** How many lost workers a task survives within one attempt; 5 by default. */
  public EngineBuilder lossLimit(int value) {
    lossLimit = new LossLimit(value);
    return this;
  }

  /** How long ended tasks are kept before they are purged; forever by default. */
  public EngineBuilder retention(Duration value) {
    if (value.isNegative()) {
      throw new IllegalArgumentException("retention: must not be negative, not " + value);
    }
    retention = value;
    return this;
  }

  /** Decides which deliveries a change causes; none by default. */
  public EngineBuilder deliveryPlanner(DeliveryPlanner value) {
    deliveryPlanner = requireNonNull(value, "deliveryPlanner");
    return this;
  }

  /** Sends deliveries; without a sender this node stores them but sends none. */
  public EngineBuilder deliverySender(DeliverySender value) {
    return deliverySender(value, DeliveryOptions.DEFAULT);
  }

  public EngineBuilder deliverySender(DeliverySender value, DeliveryOptions options) {
    deliverySender = requireNonNull(value, "deliverySender");
    deliveryOptions = requireNonNull(options, "options");
    return this;
  }

  /** Converts payloads and results to JSON. */
  public EngineBuilder jsonMapper(JsonMapper value) {
    mapper = requireNonNull(value, "jsonMapper");
    return this;
  }

  public EngineBuilder listener(EngineListener value) {
    listeners.add(requireNonNull(value, "listener"));
    return this;
  }

  /** Records spans of attempts; none by default. */
  public EngineBuilder tracer(TaskTracer value) {
    taskTracer = requireNonNull(value, "tracer");
    return this;
  }

  /** How many remote workers may wait for tasks at once, each on a thread; 500 by default. */
  public EngineBuilder maxWaitingWorkers(int value) {
    if (value < 0) {
      throw new IllegalArgumentException("maxWaitingWorkers: must be 0 or more, not " + value);
    }
    maxWaitingWorkers = value;
    return this;
  }

  /** The clock, random source and threads to use, for tests. */
  public EngineBuilder environment(EngineEnvironment value) {
    environment = requireNonNull(value, "environment");
    return this;
  }

  public Engine build() {
    return new Engine(node());
  }

  /** Builds an engine without threads, which you drive step by step. */
  public ManualEngine buildManual() {
    NodeComponents node = node();
    return new ManualEngine(new Engine(node), node);
  }

  private NodeComponents node() {
    List<EngineListener> all = new ArrayList<>(listeners);
    all.add(taskTracer);
    all.add(new EngineLog(name));
    return new NodeComponents(
        store,
        new EngineSettings(
            name,
            slots,
            pollInterval,
            nodeLease,
            lossLimit,
            retention,
            deliveryPlanner,
            deliverySender,
            deliveryOptions,
            taskTracer,
            maxWaitingWorkers,
            version),
        environment,
        mapper,
        new CompositeListener(all));
  }
}
