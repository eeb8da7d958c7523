// SPDX-License-Identifier: Apache-2.0
package dev.perdure.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.perdure.springboot.docs.OrderApplication;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The application starts, submits in its own transactions and runs its task. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class SpringBootVersionsTest {

  private static @Nullable EmbeddedPostgres postgres;

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws IOException {
    assumeFalse(
        "off".equals(System.getProperty("perdure.test.postgres")),
        "PostgreSQL is turned off by perdure.test.postgres");
    postgres =
        EmbeddedPostgres.builder()
            .setPGStartupWait(Duration.ofMinutes(2))
            .setServerConfig("fsync", "off")
            .start();
  }

  @AfterAll
  static void stop() throws IOException {
    if (postgres != null) {
      postgres.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.0", "4.1"})
  void an_application_without_flyway(String version) throws Exception {
    assertWorks(
        run(
            version,
            "classpath",
            "--spring.sql.init.mode=always",
            "--spring.sql.init.schema-locations=classpath:db/migration/V1__orders.sql"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.0", "4.1"})
  void an_application_with_its_own_flyway_migrations(String version) throws Exception {
    String output = run(version, "classpath-with-flyway");

    assertWorks(output);
    assertThat(output).contains("Successfully applied 1 migration to schema \"public\"");
  }

  private static void assertWorks(String output) {
    assertThat(output).doesNotContain("LISTEN failed");
    assertThat(output.lines())
        .contains("nodes before it is ready: []")
        .contains("placed and failed: rolled back", "shipped: 3", "orders: [3]", "tasks: 1")
        .anyMatch(
            line -> line.startsWith("without a transaction: ") && line.contains("auto-commit"));
  }

  /** Runs the application with the class path of this version, and returns what it printed. */
  private String run(String version, String classPath, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                applicationClasses()
                    + File.pathSeparator
                    + Files.readString(Path.of(version, "target", classPath)).strip(),
                OrderApplication.class.getName(),
                "--spring.datasource.url=" + newDatabase(version + "_" + classPath),
                "--spring.datasource.hikari.maximum-pool-size=2"));
    command.addAll(List.of(arguments));
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      boolean ended = process.waitFor(5, TimeUnit.MINUTES);
      String printed = Files.readString(output);
      assertThat(ended).as(printed).isTrue();
      assertThat(process.exitValue()).as(printed).isZero();
      return printed;
    } finally {
      process.destroyForcibly();
    }
  }

  private static Path applicationClasses() throws URISyntaxException {
    return Path.of(
        OrderApplication.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static String newDatabase(String name) throws SQLException {
    String database = name.replaceAll("\\W", "_");
    EmbeddedPostgres server = Objects.requireNonNull(postgres);
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE app_" + database);
    }
    return server.getJdbcUrl("postgres", "app_" + database);
  }
}
