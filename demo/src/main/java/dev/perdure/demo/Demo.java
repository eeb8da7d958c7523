// SPDX-License-Identifier: Apache-2.0
package dev.perdure.demo;

import dev.perdure.client.ApiException;
import dev.perdure.client.DeliveryInfo;
import dev.perdure.client.DeliverySearch;
import dev.perdure.client.Page;
import dev.perdure.client.PerdureClient;
import dev.perdure.client.RetrySearch;
import dev.perdure.client.TaskInfo;
import dev.perdure.client.TaskSearch;
import dev.perdure.client.TaskStatus;
import dev.perdure.client.TransportException;
import dev.perdure.client.WaitingRetry;
import dev.perdure.server.Server;
import dev.perdure.server.ServerSettings;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.Setting;
import dev.perdure.server.config.Settings;
import dev.perdure.server.webhook.WebhookSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The demo: a server, a flaky service, a worker, and a stream of tasks. */
public final class Demo implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Demo.class);

  /** How far back to read ended tasks; longer than any task of the demo lives. */
  private static final Duration LOOKBACK = Duration.ofSeconds(90);

  private static final int PAGE_SIZE = 500;
  private static final int TASKS_PER_BATCH = 28;

  private final FlakyService service;
  private final Server server;
  private final PerdureClient client;
  private final DemoTasks demoTasks;
  private final DemoBatches demoBatches;
  private final DemoEventLog eventLog = new DemoEventLog();
  private final InstantSource clock;
  private final Thread worker;
  private int submitted;

  private Demo(FlakyService service, Server server, InstantSource clock, RandomGenerator random) {
    this.service = service;
    this.server = server;
    this.clock = clock;
    this.client = PerdureClient.builder(server.url()).build();
    service.setServer(server.url());
    this.demoTasks = new DemoTasks(service.url());
    this.demoBatches = new DemoBatches(service.url());
    this.worker = Thread.ofVirtual().name("resizer").start(new ResizeWorker(client, random));
  }

  /**
   * Starts everything.
   *
   * @param directory where the tasks are stored
   */
  public static Demo start(
      int port, Path directory, String version, InstantSource clock, RandomGenerator random)
      throws IOException {
    FlakyService service = FlakyService.start(random);
    try {
      Configuration configuration = configuration(port, directory, service.url());
      Demo demo = new Demo(service, Server.start(configuration, version), clock, random);
      demo.submitBackdrop();
      return demo;
    } catch (RuntimeException e) {
      service.close();
      throw e;
    }
  }

  private void submitBackdrop() {
    try {
      new DemoBackdrop(service.url()).submit(client);
    } catch (TransportException | ApiException e) {
      LOG.warn("could not submit what the demo begins with", e);
    }
  }

  private static Configuration configuration(int port, Path directory, URI service) {
    Map<Setting<?>, String> settings = new LinkedHashMap<>();
    settings.put(Settings.PORT, Integer.toString(port));
    settings.put(Settings.DATABASE_URL, "sqlite:" + directory.resolve("perdure.db"));
    settings.put(Settings.INSTANCE_ID, "demo");
    settings.put(Settings.RETRY_LOOP_INTERVAL_MS, "200");
    settings.put(WebhookSettings.WEBHOOK_ALLOW, service.getHost());
    return ServerSettings.configuration(settings);
  }

  /** The URL of the server. */
  public URI url() {
    return server.url();
  }

  /** The URL of the flaky service. */
  public URI serviceUrl() {
    return service.url();
  }

  /** Submits the next task, and now and then a graph. The demo goes on when that fails. */
  public void submit() {
    try {
      if (submitted++ % TASKS_PER_BATCH == 0) {
        client.submit(demoBatches.next());
      }
      client.submit(demoTasks.next());
    } catch (TransportException | ApiException e) {
      LOG.warn("could not submit a task", e);
    }
  }

  /** The events since the last call, oldest first. */
  public List<DemoEventLog.Event> newEvents() {
    try {
      // Unlike a list of tasks, this one has the place on the ladder.
      Page<WaitingRetry> retries = client.waitingRetries(RetrySearch.all().pageSize(PAGE_SIZE));
      Page<TaskInfo> ended =
          client.list(
              TaskSearch.all()
                  .status(TaskStatus.SUCCESS, TaskStatus.FAILURE)
                  .createdAfter(clock.instant().minus(LOOKBACK))
                  .pageSize(PAGE_SIZE));
      Page<DeliveryInfo> deliveries =
          client.deliveries(
              DeliverySearch.all().state("sent").trigger("on_failure").pageSize(PAGE_SIZE));
      return eventLog.newEvents(retries.items(), ended.items(), deliveries.items()).stream()
          .filter(event -> !DemoBackdrop.NUMEROUS_KINDS.contains(event.kind()))
          .toList();
    } catch (TransportException | ApiException e) {
      LOG.warn("could not read the tasks", e);
      return List.of();
    }
  }

  @Override
  public void close() {
    worker.interrupt();
    client.close();
    server.close();
    service.close();
  }
}
