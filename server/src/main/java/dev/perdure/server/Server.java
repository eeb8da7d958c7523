// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineBuilder;
import dev.perdure.engine.EngineListener;
import dev.perdure.engine.LeaseTimes;
import dev.perdure.engine.micrometer.EngineMetrics;
import dev.perdure.server.access.Auditor;
import dev.perdure.server.access.HandleKeys;
import dev.perdure.server.access.Keyring;
import dev.perdure.server.access.Keys;
import dev.perdure.server.api.AccessRoutes;
import dev.perdure.server.api.Metrics;
import dev.perdure.server.api.NodeFacts;
import dev.perdure.server.api.Refusals;
import dev.perdure.server.api.Routes;
import dev.perdure.server.api.Workings;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.Settings;
import dev.perdure.server.events.EventStreams;
import dev.perdure.server.events.Pulse;
import dev.perdure.server.http.CannotListenException;
import dev.perdure.server.http.Route;
import dev.perdure.server.http.RouteTable;
import dev.perdure.server.http.Site;
import dev.perdure.server.http.jetty.JettyListener;
import dev.perdure.server.trace.Collector;
import dev.perdure.server.trace.Tracing;
import dev.perdure.server.trace.otlp.OtlpTracing;
import dev.perdure.server.webhook.CallWatch;
import dev.perdure.server.webhook.Webhooks;
import dev.perdure.server.webhook.seal.Sealer;
import dev.perdure.store.jdbc.JdbcStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running server. */
public final class Server implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Server.class);

  private final JdbcStore store;
  private final Capacity capacity;
  private final Duration stopLimit;
  private Tracing tracing = Tracing.OFF;
  private @Nullable Webhooks webhooks;
  private @Nullable Auditor auditor;
  private @Nullable EventStreams events;
  private @Nullable Pulse pulse;
  private @Nullable Engine engine;
  private @Nullable JettyListener listener;
  private URI url = URI.create("");
  private List<Route> routes = List.of();

  private Server(JdbcStore store, Capacity capacity, Duration stopLimit) {
    this.store = store;
    this.capacity = capacity;
    this.stopLimit = stopLimit;
  }

  /**
   * Opens the store and starts; the server answers when this returns.
   *
   * @throws dev.perdure.server.config.InvalidConfigurationException when it may not listen there
   * @throws CannotStartException when the store or the address is not to be had
   */
  public static Server start(Configuration configuration, String version, Surroundings world) {
    return start(configuration, version, world, engine -> {});
  }

  /** The same with an engine that does more: it is handed over before it starts. */
  static Server start(
      Configuration configuration,
      String version,
      Surroundings world,
      Consumer<Engine> preparation) {
    Address address = Address.of(configuration);
    Capacity capacity = Capacity.of(configuration);
    JdbcStore store = StoreOpening.open(configuration);
    Server server = new Server(store, capacity, configuration.get(Settings.STOP_TIMEOUT));
    try {
      server.run(configuration, address, version, world, preparation);
      return server;
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private void run(
      Configuration configuration,
      Address address,
      String version,
      Surroundings world,
      Consumer<Engine> preparation) {
    Keyring keyring = new Keyring(store.access().keys(), world.monotonic());
    address.requireSafe(configuration, keyring.asks());
    String name = InstanceName.of(configuration, world.random());
    Metrics metrics = Metrics.of(store.reader(), world.monotonic());
    tracing = tracing(configuration, name, version, metrics.registry());
    EngineListener counters = EngineMetrics.of(metrics.registry());
    events = new EventStreams(capacity.eventStreams(), keyring, world.monotonic());
    webhooks = webhooks(configuration, counters, world);
    engine = engine(configuration, name, counters, webhooks);
    preparation.accept(engine);
    auditor =
        new Auditor(
            store.access().audit(),
            configuration.get(Settings.AUDIT_ENTRIES),
            world.monotonic(),
            world.random());
    pulse = Pulse.start(events, store, auditor::write);
    NodeFacts facts = new NodeFacts(name, version, world.clock().instant());
    Workings workings = new Workings(engine, store, webhooks);
    Keys keys = new Keys(store.access().keys(), world.random());
    RouteTable table =
        new Routes(configuration, workings, metrics, facts, world.clock())
            .table(new AccessRoutes(keys, keyring, auditor, configuration), events);
    routes = table.routes();
    Site site =
        new Site(
            address.names(configuration), keyring, table, auditor, Refusals::of, world.random());
    listener = listener(configuration, address, world, site);
    url = address.url(configuration, listener.port());
    if (address.isGuessed(configuration)) {
      LOG.warn(
          "callees are told to call back at {}, the name of this machine, since {} is no address:"
              + " set HOST_URL, or --host-url, to where they find it",
          url,
          address.bind());
    }
    // Only now: callees must be told where to call back.
    webhooks.callbacksTo(url);
    engine.start();
  }

  private static Tracing tracing(
      Configuration configuration, String name, String version, MeterRegistry registry) {
    Optional<Collector> collector = Collector.of(configuration);
    if (collector.isEmpty()) {
      return Tracing.OFF;
    }
    Counter dropped = registry.counter("trace.spans.dropped");
    return OtlpTracing.open(collector.get(), configuration, name, version, dropped::increment);
  }

  private Webhooks webhooks(
      Configuration configuration, EngineListener counters, Surroundings world) {
    return Webhooks.open(
        configuration,
        HandleKeys.load(store.access().secrets(), world.random()),
        new Sealer(configuration.get(Settings.SECRETS_KEY), world.random()),
        new CallWatch(world.clock(), world.monotonic(), counters, tracing));
  }

  private JettyListener listener(
      Configuration configuration, Address address, Surroundings world, Site site) {
    try {
      return JettyListener.start(
          address.bind(),
          configuration.get(Settings.PORT),
          capacity.http(),
          world.monotonic(),
          site);
    } catch (CannotListenException e) {
      throw new CannotStartException(
          Settings.PORT.name(), e.getMessage() + "; choose another with --port or PORT", e);
    }
  }

  private Engine engine(
      Configuration configuration, String name, EngineListener counters, Webhooks calls) {
    EngineBuilder builder =
        Engine.builder(store)
            .name(name)
            .poll(poll(configuration))
            .leases(leases(configuration))
            .listener(counters)
            .listener(requireNonNull(events))
            .waitingWorkers(capacity.waitingWorkers())
            .tracer(tracing);
    calls.setUp(builder);
    if (configuration.get(Settings.RETENTION_ENABLED)) {
      builder.retention(Duration.ofDays(configuration.get(Settings.RETENTION_DAYS)));
    }
    Engine built = builder.build();
    calls.register(built);
    return built;
  }

  /** One loop looks for new tasks and for retries. */
  static Duration poll(Configuration configuration) {
    int retries = configuration.get(Settings.RETRY_LOOP_INTERVAL_MS);
    int tasks = configuration.get(Settings.WORKER_LOOP_INTERVAL_MS).orElse(retries);
    boolean said = !configuration.entry(Settings.RETRY_LOOP_INTERVAL_MS).isDefault();
    return Duration.ofMillis(said ? Math.min(retries, tasks) : tasks);
  }

  /**
   * As long as asked for, in the proportions of the usual ones. But nobody renews or waits longer
   * than usual: who has not noticed an outage must not judge others, and who may judge nobody
   * leaves the silent alone.
   */
  private static LeaseTimes leases(Configuration configuration) {
    Duration validity = Duration.ofSeconds(configuration.get(Settings.WORKER_CLAIM_TIMEOUT_SECS));
    Duration fifth = validity.dividedBy(5);
    return new LeaseTimes(
        shorter(fifth, LeaseTimes.DEFAULT.renewEvery()),
        validity,
        fifth.multipliedBy(3),
        shorter(fifth.multipliedBy(2), LeaseTimes.DEFAULT.steadyBeforeReaping()));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** Where clients find it. */
  public URI url() {
    return url;
  }

  /** Everything it answers. */
  List<Route> routes() {
    return routes;
  }

  /**
   * Stops: takes no more requests, lets those under way and the attempts end within the limit, and
   * closes the store.
   */
  @Override
  public void close() {
    inTurn(
        this::stopEvents,
        this::stopPulse,
        this::stopWaiting,
        this::stopListener,
        this::stopEngine,
        this::stopWebhooks,
        tracing::close,
        this::stopAuditor,
        store::close);
  }

  /** Does all of it, whatever one of them throws. */
  static void inTurn(Runnable... steps) {
    RuntimeException first = null;
    for (Runnable step : steps) {
      try {
        step.run();
      } catch (RuntimeException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }

  /** First of all: an answer that never ends by itself must not be waited for. */
  private void stopEvents() {
    if (events != null) {
      events.close();
    }
  }

  private void stopPulse() {
    if (pulse != null) {
      pulse.close();
    }
  }

  /** Nobody shall wait for a worker that waits for work. */
  private void stopWaiting() {
    if (engine != null) {
      engine.remote().stopWaiting();
    }
  }

  private void stopAuditor() {
    if (auditor != null) {
      auditor.close();
    }
  }

  private void stopEngine() {
    if (engine != null) {
      engine.stop(stopLimit);
    }
  }

  private void stopWebhooks() {
    if (webhooks != null) {
      webhooks.close();
    }
  }

  private void stopListener() {
    if (listener != null) {
      listener.stop(stopLimit);
    }
  }
}
