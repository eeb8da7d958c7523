// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static dev.perdure.server.http.Role.ADMIN;
import static dev.perdure.server.http.Role.NONE;
import static dev.perdure.server.http.Role.OPERATE;
import static dev.perdure.server.http.Role.READ;
import static dev.perdure.server.http.Role.SUBMIT;
import static dev.perdure.server.http.Role.WORK;

import dev.perdure.engine.Engine;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.server.api.reference.ReferenceRoutes;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.events.EventStreams;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import dev.perdure.server.http.Route;
import dev.perdure.server.http.RouteTable;
import dev.perdure.server.notify.Notifications;
import dev.perdure.server.webhook.Webhooks;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;

/** The routes of the HTTP API: every path with its role and its handler. */
public final class ApiRoutes {

  private final NodeRoutes node;
  private final PolicyRoutes policy;
  private final TaskRoutes tasks;
  private final TaskViewRoutes view;
  private final DeliveryRoutes deliveries;
  private final WorkerRoutes work;
  private final BulkRoute bulk;
  private final BatchRoutes batches;
  private final GraphRoute graph;
  private final RetryRoutes retries;
  private final RetryWaveRoute retryWave;
  private final SeriesRoute series;
  private final OverviewCollector overview;
  private final String version;
  private final ErrorRoute errors;
  private final FacetRoute facets;
  private final FindRoute find;
  private final LimitRoutes limitRoutes;
  private final KindLimitRoutes kindLimits;
  private final ScheduleRoutes schedules;
  private final ChannelRoutes channels;
  private final ConfigurationRoute settings;
  private final NowHeader nowHeader;
  private final ReferenceRoutes reference = new ReferenceRoutes();

  public ApiRoutes(
      Configuration configuration,
      Engine engine,
      TaskStore store,
      Webhooks webhooks,
      Notifications notifications,
      PrometheusMetrics metrics,
      NodeInfo nodeInfo,
      StoreProbe probe,
      InstantSource clock) {
    settings = new ConfigurationRoute(configuration);
    nowHeader = new NowHeader(engine::now);
    node = new NodeRoutes(engine, store, metrics, nodeInfo);
    policy = new PolicyRoutes(clock);
    ApiLimits limits = ApiLimits.of(configuration);
    ActionsReader actions = new ActionsReader(webhooks, notifications.channels());
    tasks = new TaskRoutes(engine, limits, actions, clock);
    view = new TaskViewRoutes(engine, limits);
    deliveries = new DeliveryRoutes(engine, limits);
    work = new WorkerRoutes(engine, new AttemptCredentials(webhooks.handles()));
    bulk = new BulkRoute(engine);
    batches = new BatchRoutes(engine, limits);
    graph = new GraphRoute(engine);
    retries = new RetryRoutes(engine, limits);
    series = new SeriesRoute(store, clock);
    retryWave = new RetryWaveRoute(engine, clock, series);
    probe.checkWrites(engine::isAlive);
    overview =
        new OverviewCollector(
            store,
            probe,
            metrics.census(),
            retryWave::get,
            clock,
            work -> Thread.ofVirtual().name("overview").start(work));
    version = nodeInfo.version();
    errors = new ErrorRoute(engine);
    facets = new FacetRoute(engine);
    find = new FindRoute(engine);
    limitRoutes = new LimitRoutes(engine, limits);
    kindLimits = new KindLimitRoutes(engine);
    schedules =
        new ScheduleRoutes(
            engine,
            limits,
            webhooks.storedSubmission(),
            () -> SubmissionReader.create(limits, clock.instant(), actions),
            clock);
    channels = new ChannelRoutes(notifications);
  }

  /** Answers also when the store cannot be used, which is the first of its problems then. */
  private Response overview(Request request) {
    QueryReader.of(request.query(), List.of()).requireValid();
    OverviewCollector.Overview found = overview.get();
    return NowHeader.with(Response.ok(OverviewJson.toJson(found, version)), found.now());
  }

  /**
   * The table of all routes.
   *
   * @param pages routes that are not part of the API
   */
  public RouteTable table(
      AccessRoutes access, SessionRoutes sessions, EventStreams events, List<Route> pages) {
    return new RouteTable(
        Stream.concat(all(access, sessions, events).stream().map(nowHeader::on), pages.stream())
            .toList());
  }

  private List<Route> all(AccessRoutes access, SessionRoutes sessions, EventStreams events) {
    return Stream.of(
            nodeRoutes(events),
            taskRoutes(),
            batchRoutes(),
            ruleRoutes(),
            accessRoutes(access, sessions))
        .flatMap(List::stream)
        .toList();
  }

  private List<Route> nodeRoutes(EventStreams events) {
    return List.of(
        Route.get("/health", NONE, node::health),
        Route.get("/ready", NONE, node::ready),
        Route.get("/metrics", READ, node::metrics),
        Route.get("/node", READ, node::node),
        Route.get("/config", ADMIN, settings::show),
        Route.get("/overview", READ, this::overview),
        Route.get("/series", READ, series::show),
        Route.get("/events", READ, events::watch));
  }

  private List<Route> taskRoutes() {
    return List.of(
        Route.post("/task", SUBMIT, tasks::submit),
        Route.get("/task", READ, tasks::list),
        Route.get("/task/facets", READ, facets::show),
        Route.get("/task/{id}", READ, view::show),
        Route.get("/task/{id}/plan", READ, view::plan),
        Route.get("/task/{id}/attempt", READ, view::attempts),
        Route.get("/task/{id}/attempt/{epoch}", READ, view::attempt),
        Route.patch("/task/{id}", WORK, work::patch).orByHandle(),
        Route.put("/task/{id}", WORK, work::addCounters).orByHandle(),
        Route.delete("/task/{id}", OPERATE, tasks::cancel),
        Route.patch("/task/pause/{id}", OPERATE, tasks::pause),
        Route.patch("/task/resume/{id}", OPERATE, tasks::resume),
        Route.post("/task/{id}/retry", OPERATE, tasks::retry),
        Route.post("/task/{id}/resolve", ADMIN, tasks::resolve),
        Route.post("/task/bulk", OPERATE, bulk::handle),
        Route.post("/task/claim", WORK, work::claim),
        Route.post("/task/{id}/heartbeat", WORK, work::heartbeat));
  }

  private List<Route> batchRoutes() {
    return List.of(
        Route.get("/batches", READ, batches::list),
        Route.get("/batch/{id}", READ, batches::show),
        Route.delete("/batch/{id}", OPERATE, batches::stop),
        Route.post("/batch/{id}/retry", OPERATE, batches::retry),
        Route.patch("/batch/{id}/rules", ADMIN, limitRoutes::change),
        Route.get("/dag/{id}", READ, graph::show),
        Route.get("/retry", READ, retries::list),
        Route.get("/retry/stats", READ, retries::statistics),
        Route.get("/retry/wave", READ, retryWave::show),
        Route.get("/error", READ, errors::list),
        Route.get("/kind", READ, facets::kinds),
        Route.get("/find", READ, find::find));
  }

  private List<Route> ruleRoutes() {
    return List.of(
        Route.get("/limit", READ, limitRoutes::list),
        Route.get("/limit/{kind}", READ, kindLimits::show),
        Route.put("/limit/{kind}", ADMIN, kindLimits::set),
        Route.delete("/limit/{kind}", ADMIN, kindLimits::remove),
        Route.get("/schedule", READ, schedules::list),
        Route.post("/schedule", ADMIN, schedules::create),
        Route.post("/schedule/preview", READ, schedules::preview),
        Route.get("/schedule/{id}", READ, schedules::show),
        Route.put("/schedule/{id}", ADMIN, schedules::replace),
        Route.patch("/schedule/{id}", ADMIN, schedules::patch),
        Route.delete("/schedule/{id}", ADMIN, schedules::delete),
        Route.post("/schedule/{id}/trigger", OPERATE, schedules::trigger),
        Route.delete("/schedule/{id}/retry", OPERATE, schedules::cancelRetries),
        Route.get("/channel", READ, channels::list),
        Route.post("/channel/{name}/test", ADMIN, channels::test),
        Route.get("/delivery", READ, deliveries::list),
        Route.get("/delivery/group", READ, deliveries::groups),
        Route.post("/delivery/bulk", OPERATE, deliveries::bulk),
        Route.post("/delivery/{id}/redeliver", OPERATE, deliveries::redeliver),
        Route.post("/policy/explain", READ, policy::explain),
        Route.post("/policy/simulate", READ, policy::simulate),
        Route.post("/policy/lint", READ, policy::lint));
  }

  private List<Route> accessRoutes(AccessRoutes access, SessionRoutes sessions) {
    return List.of(
        Route.post("/key", ADMIN, access::create),
        Route.get("/key", ADMIN, access::list),
        Route.delete("/key/{id}", ADMIN, access::revoke),
        Route.post("/session", NONE, sessions::create),
        Route.get("/session", NONE, sessions::show),
        Route.delete("/session", NONE, sessions::delete),
        Route.get("/audit", ADMIN, access::audit),
        Route.get("/openapi.json", NONE, reference::document),
        Route.get("/docs", NONE, reference::page));
  }
}
