// SPDX-License-Identifier: Apache-2.0
package dev.perdure.demo;

import dev.perdure.client.ApiException;
import dev.perdure.client.PerdureClient;
import dev.perdure.client.TransportException;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The example: a server, a flaky service, a worker, and a stream of tasks. */
public final class Demo implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Demo.class);

  /** The tasks of this time are looked at; longer than any of them lives. */
  private static final Duration LOOKBACK = Duration.ofSeconds(90);

  private static final String PAGE_SIZE = "200";

  private final FlakyService service;
  private final Server server;
  private final PerdureClient perdureClient;
  private final DemoTasks demoTasks;
  private final DemoEventLog eventLog = new DemoEventLog();
  private final InstantSource clock;
  private final Thread worker;

  private Demo(FlakyService service, Server server, InstantSource clock, RandomGenerator random) {
    this.service = service;
    this.server = server;
    this.clock = clock;
    this.perdureClient = new PerdureClient(server.url(), null);
    service.setServer(server.url());
    this.demoTasks = new DemoTasks(service.url());
    this.worker = Thread.ofVirtual().name("resizer").start(new ResizeWorker(perdureClient, random));
  }

  /** Starts everything; tasks are kept in this folder. */
  public static Demo start(
      int port, Path folder, String version, InstantSource clock, RandomGenerator random)
      throws IOException {
    FlakyService service = FlakyService.start(random);
    try {
      Configuration configuration = configuration(port, folder, service.url());
      return new Demo(service, Server.start(configuration, version), clock, random);
    } catch (RuntimeException e) {
      service.close();
      throw e;
    }
  }

  private static Configuration configuration(int port, Path folder, URI service) {
    Map<Setting<?>, String> settings = new LinkedHashMap<>();
    settings.put(Settings.PORT, Integer.toString(port));
    settings.put(Settings.DATABASE_URL, "sqlite:" + folder.resolve("perdure.db"));
    settings.put(Settings.INSTANCE_ID, "demo");
    settings.put(Settings.RETRY_LOOP_INTERVAL_MS, "200");
    settings.put(WebhookSettings.WEBHOOK_ALLOW, service.getHost());
    return ServerSettings.configuration(settings);
  }

  /** Where the server answers. */
  public URI url() {
    return server.url();
  }

  /** Where the flaky service answers. */
  public URI serviceUrl() {
    return service.url();
  }

  /** Submits one more task. One that is refused or lost is no reason to end the example. */
  public void submit() {
    try {
      perdureClient.send("POST", "/task", demoTasks.next());
    } catch (TransportException | ApiException e) {
      LOG.warn("a task could not be submitted", e);
    }
  }

  /** What happened since the last look, oldest first. */
  public List<DemoEventLog.Event> newEvents() {
    try {
      ArrayNode tasks = JsonNodeFactory.instance.arrayNode();
      // What waits comes with its place on a ladder, which a list of tasks does not tell.
      list("/retry", Map.of()).forEach(tasks::add);
      String since = clock.instant().minus(LOOKBACK).toString();
      list("/task", Map.of("status", "Success,Failure", "created_after", since))
          .forEach(tasks::add);
      JsonNode told = list("/delivery", Map.of("state", "sent", "trigger", "on_failure"));
      return eventLog.newEvents(tasks, told);
    } catch (TransportException | ApiException e) {
      LOG.warn("the tasks could not be looked at", e);
      return List.of();
    }
  }

  private JsonNode list(String path, Map<String, String> filter) {
    Map<String, @Nullable String> query = new LinkedHashMap<>(filter);
    query.put("page_size", PAGE_SIZE);
    return perdureClient.get(path, query).json();
  }

  @Override
  public void close() {
    worker.interrupt();
    perdureClient.close();
    server.close();
    service.close();
  }
}
