// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A PostgreSQL server that can be killed and restarted on the same data and port. */
final class RestartablePostgres implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(50);

  private final Path folder;
  private final int port;
  private final List<String> command = new ArrayList<>();
  private final Thread atExit = new Thread(this::killAll);
  private volatile Process process;

  /** Starts a server with an empty cluster in this directory. */
  RestartablePostgres(Path folder) throws IOException {
    this.folder = folder;
    Path data = folder.resolve("data");
    String binary;
    // The library unpacks the binaries and creates the cluster. After that this class controls the
    // server.
    try (EmbeddedPostgres once =
        EmbeddedPostgres.builder()
            .setDataDirectory(data)
            .setCleanDataDirectory(false)
            .setPGStartupWait(Duration.ofMinutes(2))
            .start()) {
      port = once.getPort();
      long pid = Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).getFirst());
      binary = ProcessHandle.of(pid).flatMap(it -> it.info().command()).orElseThrow();
    }
    if (System.getProperty("user.name").equals("root")) {
      // PostgreSQL refuses to run as root. In its own user namespace it does not notice.
      command.addAll(List.of("unshare", "-U"));
    }
    command.addAll(List.of(binary, "-D", data.toString(), "-p", "" + port, "-k", ""));
    Runtime.getRuntime().addShutdownHook(atExit);
    process = launch();
    awaitConnection();
  }

  /** Creates an empty database and returns its JDBC URL. */
  String createDatabase(String name) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + name);
    }
    return "jdbc:postgresql://localhost:" + port + "/" + name + "?user=postgres";
  }

  /** Sends SIGKILL to the server and all its child processes. */
  void kill() throws InterruptedException {
    if (!process.isAlive()) {
      throw new IllegalStateException("PostgreSQL exited before it was killed, see " + folder);
    }
    killAll();
    if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("PostgreSQL did not exit");
    }
  }

  /** Restarts the server and waits until it has recovered and accepts connections. */
  void start() throws IOException {
    process = launch();
    awaitConnection();
  }

  private Process launch() throws IOException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("postgres.log").toFile()))
        .start();
  }

  private void awaitConnection() throws IOException {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < LIMIT.toNanos()) {
      try (Connection connection = connect()) {
        connection.isValid(1);
        return;
      } catch (SQLException notYet) {
        LockSupport.parkNanos(PAUSE);
      }
      if (!process.isAlive()) {
        // The shared memory of the killed server is released shortly after its last process exits.
        process = launch();
      }
    }
    throw new IllegalStateException(
        "PostgreSQL did not start:\n" + Files.readString(folder.resolve("postgres.log")));
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://localhost:" + port + "/postgres?connectTimeout=5", "postgres", null);
  }

  private void killAll() {
    List<ProcessHandle> children = process.descendants().toList();
    process.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
  }

  @Override
  public void close() {
    killAll();
    process.onExit().orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    Runtime.getRuntime().removeShutdownHook(atExit);
  }
}
