// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineListener;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.server.StoreOpener;
import dev.perdure.server.SystemClockAndRandom;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.access.ApiKeyAuthenticator;
import dev.perdure.server.access.ApiKeys;
import dev.perdure.server.access.BufferedAuditLog;
import dev.perdure.server.access.HandleKeys;
import dev.perdure.server.access.SessionCookie;
import dev.perdure.server.access.Sessions;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.Settings;
import dev.perdure.server.events.EventStreams;
import dev.perdure.server.http.AuditEntry;
import dev.perdure.server.http.Caller;
import dev.perdure.server.http.Headers;
import dev.perdure.server.http.HostOriginCheck;
import dev.perdure.server.http.HttpPipeline;
import dev.perdure.server.http.QueryParameters;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import dev.perdure.server.notify.Notifications;
import dev.perdure.server.trace.Tracing;
import dev.perdure.server.webhook.CallTelemetry;
import dev.perdure.server.webhook.WebhookSettings;
import dev.perdure.server.webhook.Webhooks;
import dev.perdure.server.webhook.encryption.SecretEncryptor;
import dev.perdure.store.jdbc.JdbcStore;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The API on a store that a test can wrap, on each database. There is no listener. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
abstract class ApiPipelineFixture {

  private final TestDatabase database;
  @TempDir private Path folder;
  final List<AuditEntry> auditEntries = new ArrayList<>();
  JdbcStore real;
  Engine engine;
  private Webhooks webhooks;
  private Notifications notifications;
  private HttpPipeline pipeline;

  ApiPipelineFixture(TestDatabase database) {
    this.database = database;
  }

  /** The store that the API uses. */
  abstract TaskStore wrap(TaskStore store);

  @BeforeEach
  void open() {
    Configuration configuration =
        TestServer.configuration(folder, Map.of(Settings.DATABASE_URL, database.url(folder)));
    InstantSource clock = SystemClockAndRandom.clock();
    Supplier<Duration> monotonic = SystemClockAndRandom.monotonic();
    RandomGenerator random = SystemClockAndRandom.random();
    real = StoreOpener.open(configuration);
    TaskStore store = wrap(real);
    webhooks =
        Webhooks.create(
            configuration,
            HandleKeys.load(real.access().secrets(), random),
            new SecretEncryptor(configuration.get(WebhookSettings.SECRETS_KEY), random),
            store.batches(),
            new CallTelemetry(clock, monotonic, new EngineListener() {}, Tracing.OFF));
    notifications =
        Notifications.create(configuration, real.channels(), store.outbox(), clock, monotonic);
    engine = Engine.on(store);
    PrometheusMetrics metrics = PrometheusMetrics.of(store.overview(), store.limits(), monotonic);
    NodeInfo nodeInfo = new NodeInfo("tester", "test", clock.instant(), real::connections);
    ApiKeyAuthenticator authenticator =
        new ApiKeyAuthenticator(real.access().apiKeys(), monotonic, () -> false);
    Sessions knownSessions =
        new Sessions(real.access().sessions(), random, monotonic, () -> false, clock);
    AccessRoutes access =
        new AccessRoutes(
            new ApiKeys(real.access().apiKeys(), random),
            authenticator,
            knownSessions,
            new BufferedAuditLog(real.access().audit(), 10, monotonic, random),
            configuration);
    SessionRoutes sessions =
        new SessionRoutes(authenticator, knownSessions, monotonic, new SessionCookie("/", false));
    pipeline =
        new HttpPipeline(
            new HostOriginCheck(URI.create("http://localhost"), false),
            headers -> Caller.ANYONE,
            new ApiRoutes(
                    configuration,
                    engine,
                    store,
                    webhooks,
                    notifications,
                    metrics,
                    nodeInfo,
                    new StoreProbe(store, clock, monotonic),
                    clock)
                .table(
                    access,
                    sessions,
                    new EventStreams(1, headers -> Caller.ANYONE, monotonic, () -> "{}"),
                    List.of()),
            (caller, entry) -> auditEntries.add(entry),
            EngineExceptionMapper::toHttpProblem,
            random);
  }

  @AfterEach
  void close() {
    if (engine != null) {
      engine.stop(Duration.ofSeconds(1));
      webhooks.close();
      notifications.close();
      real.close();
    }
  }

  Response request(String method, String path, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    Headers headers =
        Headers.from(
            each -> {
              each.accept("Host", "localhost");
              each.accept("Content-Type", "application/json");
              each.accept("Content-Length", Integer.toString(bytes.length));
            });
    return pipeline.handle(
        Request.of(method, path, QueryParameters.parse(null), headers, () -> bytes));
  }

  static JsonNode json(Response response) {
    return JsonMapper.shared().readTree(response.body());
  }
}
