// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineBuilder;
import dev.perdure.engine.EngineLimits;
import dev.perdure.engine.EngineListener;
import dev.perdure.engine.micrometer.EngineMetrics;
import dev.perdure.server.access.ApiKeyAuthenticator;
import dev.perdure.server.access.ApiKeys;
import dev.perdure.server.access.BufferedAuditLog;
import dev.perdure.server.access.HandleKeys;
import dev.perdure.server.access.RequestAuthenticator;
import dev.perdure.server.access.Sessions;
import dev.perdure.server.api.AccessRoutes;
import dev.perdure.server.api.ApiRoutes;
import dev.perdure.server.api.EngineExceptionMapper;
import dev.perdure.server.api.NodeInfo;
import dev.perdure.server.api.PrometheusMetrics;
import dev.perdure.server.api.SessionRoutes;
import dev.perdure.server.api.StoreProbe;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.Settings;
import dev.perdure.server.events.ChangeAnnouncer;
import dev.perdure.server.events.EventStreamTicker;
import dev.perdure.server.events.EventStreams;
import dev.perdure.server.events.HelloEvent;
import dev.perdure.server.http.CannotListenException;
import dev.perdure.server.http.HttpPipeline;
import dev.perdure.server.http.Route;
import dev.perdure.server.http.RouteTable;
import dev.perdure.server.http.jetty.JettyListener;
import dev.perdure.server.notify.Notifications;
import dev.perdure.server.trace.OtlpEndpoint;
import dev.perdure.server.trace.Tracing;
import dev.perdure.server.trace.otlp.OtlpTracing;
import dev.perdure.server.ui.DashboardRoutes;
import dev.perdure.server.webhook.CallCounters;
import dev.perdure.server.webhook.CallTelemetry;
import dev.perdure.server.webhook.WebhookSettings;
import dev.perdure.server.webhook.Webhooks;
import dev.perdure.server.webhook.encryption.SecretEncryptor;
import dev.perdure.store.jdbc.JdbcStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running server: store, engine, webhooks and HTTP API. Closing it stops them all. */
public final class Server implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Server.class);

  private final Configuration configuration;
  private final ConnectionLimits connectionLimits;
  private final JdbcStore store;
  private final InstantSource clock;
  private final Supplier<Duration> monotonic;
  private final RandomGenerator random;
  private Tracing tracing = Tracing.OFF;
  private @Nullable Webhooks webhooks;
  private @Nullable Notifications notifications;
  private @Nullable StoreProbe storeProbe;
  private @Nullable BufferedAuditLog auditLog;
  private @Nullable EventStreams eventStreams;
  private @Nullable EventStreamTicker eventTicker;
  private @Nullable Engine engine;
  private @Nullable JettyListener listener;
  private URI url = URI.create("");
  private List<Route> routes = List.of();

  private Server(
      Configuration configuration,
      ConnectionLimits connectionLimits,
      JdbcStore store,
      InstantSource clock,
      Supplier<Duration> monotonic,
      RandomGenerator random) {
    this.configuration = configuration;
    this.connectionLimits = connectionLimits;
    this.store = store;
    this.clock = clock;
    this.monotonic = monotonic;
    this.random = random;
  }

  /**
   * Opens the store and starts the server. It accepts requests when this method returns.
   *
   * @throws dev.perdure.server.config.InvalidConfigurationException if settings contradict each
   *     other, or if the server would be open to other machines without API keys
   * @throws CannotStartException if the store or the port cannot be opened
   */
  public static Server start(Configuration configuration, String version) {
    return start(
        configuration,
        version,
        SystemClockAndRandom.clock(),
        SystemClockAndRandom.monotonic(),
        SystemClockAndRandom.random(),
        engine -> {});
  }

  /**
   * Starts with other clocks and another random source, for tests.
   *
   * @param preparation receives the engine before it starts, for example to register handlers
   */
  static Server start(
      Configuration configuration,
      String version,
      InstantSource clock,
      Supplier<Duration> monotonic,
      RandomGenerator random,
      Consumer<Engine> preparation) {
    ListenAddress listenAddress = ListenAddress.of(configuration);
    ConnectionLimits connectionLimits = ConnectionLimits.of(configuration);
    JdbcStore store = StoreOpener.open(configuration);
    Server server = new Server(configuration, connectionLimits, store, clock, monotonic, random);
    try {
      server.run(listenAddress, version, preparation);
      return server;
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private HttpPipeline httpPipeline(
      ListenAddress listenAddress,
      RequestAuthenticator authenticator,
      RouteTable table,
      BufferedAuditLog audit) {
    return new HttpPipeline(
        listenAddress.hostOriginCheck(configuration),
        authenticator,
        table,
        audit,
        EngineExceptionMapper::toHttpProblem,
        random);
  }

  private void run(ListenAddress listenAddress, String version, Consumer<Engine> preparation) {
    StoreProbe probe = StoreProbe.start(store, clock, monotonic);
    storeProbe = probe;
    ApiKeyAuthenticator apiKeyAuthenticator =
        new ApiKeyAuthenticator(store.access().apiKeys(), monotonic, probe::isAway);
    listenAddress.requireSafe(configuration, apiKeyAuthenticator.isKeyRequired());
    String name = NodeName.of(configuration, random);
    PrometheusMetrics prometheusMetrics =
        PrometheusMetrics.of(store.overview(), EngineLimits.reader(store), monotonic);
    tracing = tracing(name, version, prometheusMetrics.registry());
    EngineListener counters = EngineMetrics.of(prometheusMetrics.registry());
    CallCounters.registerZeros(prometheusMetrics.registry());
    Sessions sessions =
        new Sessions(store.access().sessions(), random, monotonic, probe::isAway, clock);
    RequestAuthenticator authenticator = new RequestAuthenticator(apiKeyAuthenticator, sessions);
    eventStreams = eventStreams(authenticator, version);
    webhooks = webhooks(counters);
    notifications =
        Notifications.create(configuration, store.channels(), store.outbox(), clock, monotonic);
    engine = engine(name, version, counters, prometheusMetrics.registry(), webhooks, notifications);
    preparation.accept(engine);
    // Before the listener: a remote worker may claim as soon as it can connect.
    ConfiguredLimits.apply(engine.limits(), configuration);
    auditLog = auditLog();
    eventTicker = EventStreamTicker.start(eventStreams, store, auditLog::flush);
    NodeInfo facts = new NodeInfo(name, version, clock.instant(), store::connections);
    ApiKeys apiKeys = new ApiKeys(store.access().apiKeys(), random);
    RouteTable table =
        new ApiRoutes(
                configuration,
                engine,
                store,
                webhooks,
                notifications,
                prometheusMetrics,
                facts,
                probe,
                clock)
            .table(
                new AccessRoutes(apiKeys, apiKeyAuthenticator, sessions, auditLog, configuration),
                new SessionRoutes(
                    apiKeyAuthenticator,
                    sessions,
                    monotonic,
                    listenAddress.sessionCookie(configuration)),
                eventStreams,
                DashboardRoutes.of(ListenAddress.pathPrefix(configuration)).routes());
    routes = table.routes();
    listener = listener(listenAddress, httpPipeline(listenAddress, authenticator, table, auditLog));
    url = listenAddress.publicUrl(configuration, listener.port());
    warnIfPublicUrlIsGuessed(listenAddress);
    // Not before the port is known: webhooks carry the callback URL.
    webhooks.callbackBaseUrl(url);
    engine.start();
  }

  private EventStreams eventStreams(RequestAuthenticator authenticator, String version) {
    return new EventStreams(
        connectionLimits.maxEventStreams(),
        authenticator,
        monotonic,
        () -> HelloEvent.json(version, requireNonNull(engine)::now));
  }

  private BufferedAuditLog auditLog() {
    return new BufferedAuditLog(
        store.access().audit(), configuration.get(Settings.AUDIT_MAX_ENTRIES), monotonic, random);
  }

  private void warnIfPublicUrlIsGuessed(ListenAddress listenAddress) {
    if (listenAddress.isPublicUrlGuessed(configuration)) {
      LOG.warn(
          "callees of webhooks will call back at {}, the name of this machine, because {} means all"
              + " addresses: set HOST_URL or --host-url to a URL that they can reach",
          url,
          listenAddress.bind());
    }
  }

  private Tracing tracing(String name, String version, MeterRegistry registry) {
    Optional<OtlpEndpoint> collector = OtlpEndpoint.of(configuration);
    if (collector.isEmpty()) {
      return Tracing.OFF;
    }
    Counter dropped =
        Counter.builder("perdure.trace.spans.dropped")
            .description("Spans that were not exported because the exporter was behind")
            .register(registry);
    return OtlpTracing.open(collector.get(), configuration, name, version, dropped::increment);
  }

  private Webhooks webhooks(EngineListener counters) {
    return Webhooks.create(
        configuration,
        HandleKeys.load(store.access().secrets(), random),
        new SecretEncryptor(configuration.get(WebhookSettings.SECRETS_KEY), random),
        store.batches(),
        new CallTelemetry(clock, monotonic, counters, tracing));
  }

  private JettyListener listener(ListenAddress listenAddress, HttpPipeline httpPipeline) {
    try {
      return JettyListener.start(
          listenAddress.bind(),
          configuration.get(Settings.PORT),
          connectionLimits.http(),
          monotonic,
          httpPipeline);
    } catch (CannotListenException e) {
      throw new CannotStartException(
          Settings.PORT.name(), e.getMessage() + "; choose another port with --port or PORT", e);
    }
  }

  private Engine engine(
      String name,
      String version,
      EngineListener counters,
      MeterRegistry registry,
      Webhooks calls,
      Notifications messages) {
    EngineBuilder builder =
        Engine.builder(store)
            .name(name)
            .version(version)
            .pollInterval(EngineTimes.pollInterval(configuration))
            .nodeLease(EngineTimes.leaseTimes(configuration))
            .listener(counters)
            .listener(new ScheduleMetrics(registry))
            .listener(requireNonNull(eventStreams))
            .listener(new ChangeAnnouncer(store))
            .maxWaitingWorkers(connectionLimits.maxWaitingWorkers())
            .tracer(tracing);
    calls.configure(builder, messages.planner(), messages.sender());
    if (configuration.get(Settings.RETENTION_ENABLED)) {
      builder.retention(Duration.ofDays(configuration.get(Settings.RETENTION_DAYS)));
    }
    Engine built = builder.build();
    calls.register(built);
    return built;
  }

  /** The URL that clients use. */
  public URI url() {
    return url;
  }

  /** All routes of the HTTP API. */
  List<Route> routes() {
    return routes;
  }

  /**
   * Stops the server: accepts no more requests, gives running requests and attempts {@code
   * shutdown_timeout} to end, and closes the store.
   */
  @Override
  public void close() {
    runAll(
        this::stopEvents,
        this::stopEventTicker,
        this::stopWaitingWorkers,
        this::stopListener,
        this::stopEngine,
        this::stopWebhooks,
        tracing::close,
        this::stopAuditLog,
        this::stopStoreProbe,
        store::close);
  }

  /** Runs all steps even if one of them throws; throws the first exception at the end. */
  static void runAll(Runnable... steps) {
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

  /** Comes first: event streams never end by themselves, and the listener waits for responses. */
  private void stopEvents() {
    if (eventStreams != null) {
      eventStreams.close();
    }
  }

  private void stopEventTicker() {
    if (eventTicker != null) {
      eventTicker.close();
    }
  }

  /** Ends long polls, so that the listener does not wait for workers that wait for tasks. */
  private void stopWaitingWorkers() {
    if (engine != null) {
      engine.remote().stopLongPolls();
    }
  }

  private void stopStoreProbe() {
    if (storeProbe != null) {
      storeProbe.close();
    }
  }

  private void stopAuditLog() {
    if (auditLog != null) {
      auditLog.close();
    }
  }

  private void stopEngine() {
    if (engine != null) {
      engine.stop(configuration.get(Settings.SHUTDOWN_TIMEOUT));
    }
  }

  private void stopWebhooks() {
    if (webhooks != null) {
      webhooks.close();
    }
    if (notifications != null) {
      notifications.close();
    }
  }

  private void stopListener() {
    if (listener != null) {
      listener.stop(configuration.get(Settings.SHUTDOWN_TIMEOUT));
    }
  }
}
