// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.demo;

import dev.perdure.server.Server;
import dev.perdure.server.Surroundings;
import dev.perdure.server.cli.client.Client;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.Layer;
import dev.perdure.server.config.Setting;
import dev.perdure.server.config.Settings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The example: a server, a flaky service, a worker, and a stream of tasks. */
public final class Demo implements AutoCloseable {

  /** The tasks of this time are looked at; longer than any of them lives. */
  private static final Duration SHOWN = Duration.ofSeconds(90);

  private final FlakyService service;
  private final Server server;
  private final Client client;
  private final Orders orders;
  private final Chronicle chronicle = new Chronicle();
  private final Surroundings world;
  private final Thread worker;

  private Demo(FlakyService service, Server server, Surroundings world, RandomGenerator random) {
    this.service = service;
    this.server = server;
    this.world = world;
    this.client = new Client(server.url(), null);
    service.callBackTo(server.url());
    this.orders = new Orders(service.url());
    this.worker = Thread.ofVirtual().name("resizer").start(new Resizer(client, random));
  }

  /** Starts everything; tasks are kept in this folder. */
  public static Demo start(int port, Path folder, String version, Surroundings world)
      throws IOException {
    RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
    FlakyService service = FlakyService.start(random);
    try {
      Configuration configuration = configuration(port, folder, service.url());
      return new Demo(service, Server.start(configuration, version, world), world, random);
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
    settings.put(Settings.WEBHOOK_ALLOW, service.getHost());
    return Configuration.of(List.of(Layer.flags(settings)));
  }

  /** Where the server answers. */
  public URI url() {
    return server.url();
  }

  /** Where the flaky service answers. */
  public URI service() {
    return service.url();
  }

  /** Submits one more task. */
  public void submit() {
    client.send("POST", "/task", orders.next());
  }

  /** What happened since the last look, oldest first. */
  public List<Chronicle.Event> look() {
    Map<String, @Nullable String> query = new LinkedHashMap<>();
    query.put("status", "RetryPending,Success,Failure");
    query.put("page_size", "200");
    query.put("created_after", world.clock().instant().minus(SHOWN).toString());
    return chronicle.read(client.get("/task", query).json());
  }

  @Override
  public void close() {
    worker.interrupt();
    client.close();
    server.close();
    service.close();
  }
}
