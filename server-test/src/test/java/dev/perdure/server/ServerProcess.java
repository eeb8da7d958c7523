// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import dev.perdure.server.http.RawHttpClient;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** A server in a separate process, which can be killed. */
public final class ServerProcess implements AutoCloseable {

  private final Process process;
  private final int port;

  private ServerProcess(Process process) throws IOException {
    this.process = process;
    String ready = process.inputReader().readLine();
    this.port = URI.create(JsonMapper.shared().readTree(ready).get("url").stringValue()).getPort();
  }

  /** The database URL of one test, shared by all its processes. */
  public static String database(TestDatabase kind, Path folder) {
    return kind.url(folder);
  }

  public static ServerProcess start(Path folder, String database, String... flags)
      throws IOException {
    return start(folder, List.of(), database, flags);
  }

  /** Starts a server with JVM options. */
  public static ServerProcess start(
      Path folder, List<String> options, String database, String... flags) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            ServerMain.class.getName(),
            "--port=0",
            "--database-url=" + database,
            "--webhook-allow=" + WebhookReceiver.ALLOWED));
    command.addAll(List.of(flags));
    return new ServerProcess(
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start());
  }

  public int port() {
    return port;
  }

  public RawHttpClient.RawResponse send(String method, String target, String body)
      throws IOException {
    return RawHttpClient.request(port, method, target, List.of(), body);
  }

  /** Sends the body in chunks, without a Content-Length. */
  public RawHttpClient.RawResponse sendInChunks(String method, String target, String body)
      throws IOException {
    int length = body.getBytes(StandardCharsets.UTF_8).length;
    try (RawHttpClient http = RawHttpClient.to(port)) {
      http.send(method + " " + target + " HTTP/1.1\r\nHost: localhost:" + port + "\r\n");
      http.send("Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
      http.send(Integer.toHexString(length) + "\r\n" + body + "\r\n0\r\n\r\n");
      return http.readResponse();
    }
  }

  /** Submits one task and returns its id. */
  public String submit(String task) throws IOException {
    RawHttpClient.RawResponse response = send("POST", "/task", task);
    if (response.status() != 201) {
      throw new AssertionError(response.body());
    }
    return response.json().get(0).get("id").stringValue();
  }

  /** Waits until the process exits; returns its exit status. */
  public int awaitEnd() throws InterruptedException {
    return process.waitFor();
  }

  /** Kills the process with SIGKILL. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
