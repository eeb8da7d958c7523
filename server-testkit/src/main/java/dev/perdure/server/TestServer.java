// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import dev.perdure.engine.Engine;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.Setting;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.RawHttpClient;
import dev.perdure.server.http.Route;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A server on a free port, with its own SQLite file by default. */
public final class TestServer implements AutoCloseable {

  private final Server server;
  private final int port;

  private TestServer(Server server, int configuredPort) {
    this.server = server;
    // Behind a proxy the URL has the port of the proxy.
    this.port = configuredPort == 0 ? server.url().getPort() : configuredPort;
  }

  public static TestServer in(Path folder) {
    return in(folder, Map.of());
  }

  public static TestServer in(Path folder, Map<Setting<?>, String> settings) {
    return in(folder, settings, engine -> {});
  }

  /** With a monotonic clock of its own. */
  public static TestServer in(
      Path folder, Map<Setting<?>, String> settings, Supplier<Duration> monotonic) {
    return start(folder, settings, monotonic, engine -> {});
  }

  /** Starts a server after preparing its engine, such as by registering handlers. */
  public static TestServer in(
      Path folder, Map<Setting<?>, String> settings, Consumer<Engine> preparation) {
    return start(folder, settings, SystemClockAndRandom.monotonic(), preparation);
  }

  private static TestServer start(
      Path folder,
      Map<Setting<?>, String> settings,
      Supplier<Duration> monotonic,
      Consumer<Engine> preparation) {
    Configuration configuration = configuration(folder, settings);
    return new TestServer(
        Server.start(
            configuration,
            "test",
            SystemClockAndRandom.clock(),
            monotonic,
            SystemClockAndRandom.random(),
            preparation),
        configuration.get(Settings.PORT));
  }

  public static Configuration configuration(Path folder, Map<Setting<?>, String> settings) {
    Map<Setting<?>, String> all = new LinkedHashMap<>();
    all.put(Settings.PORT, "0");
    all.put(Settings.DATABASE_URL, "sqlite:" + folder.resolve("perdure.db"));
    all.put(Settings.INSTANCE_ID, "tester");
    all.putAll(settings);
    return ServerSettings.configuration(all);
  }

  public int port() {
    return port;
  }

  public RawHttpClient.RawResponse get(String target) throws IOException {
    return RawHttpClient.request(port(), "GET", target);
  }

  public RawHttpClient.RawResponse post(String target, String body) throws IOException {
    return RawHttpClient.post(port(), target, body);
  }

  public RawHttpClient.RawResponse request(String method, String target) throws IOException {
    return RawHttpClient.request(port(), method, target);
  }

  /** Sends a request with an API key; the body may be empty. */
  public RawHttpClient.RawResponse request(String key, String method, String target, String body)
      throws IOException {
    return RawHttpClient.request(
        port(), method, target, List.of("Authorization: Bearer " + key), body);
  }

  public URI url() {
    return server.url();
  }

  public List<Route> routes() {
    return server.routes();
  }

  /** The routes without the files of the dashboard, which are not part of the API. */
  public List<Route> apiRoutes() {
    return routes().stream().filter(route -> !route.pattern().startsWith("/ui")).toList();
  }

  /** Sends a request with a JSON body. */
  public RawHttpClient.RawResponse send(String method, String target, String body)
      throws IOException {
    return RawHttpClient.request(port(), method, target, List.of(), body);
  }

  @Override
  public void close() {
    server.close();
  }
}
