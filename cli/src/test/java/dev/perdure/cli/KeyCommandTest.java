// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.config.Setting;
import dev.perdure.server.config.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

class KeyCommandTest {

  @TempDir private Path folder;

  private static TestCli on(TestServer server) {
    return new TestCli().environment("PERDURE_URL", server.url().toString());
  }

  @ParameterizedTest
  @EnumSource(TestDatabase.class)
  void creates_the_first_key_in_the_database(TestDatabase database) throws IOException {
    String url = database.url(folder);
    CliResult created =
        new TestCli()
            .environment("DATABASE_URL", url)
            .run("key", "create", "ops", "--role", "admin", "--json", "--database");
    assertThat(created.code()).as(created.err()).isZero();
    String key = created.json().getFirst().get("key").stringValue();

    Map<Setting<?>, String> open = Map.of(Settings.DATABASE_URL, url, Settings.BIND, "0.0.0.0");
    try (TestServer server = TestServer.in(folder, open)) {
      assertThat(server.get("/task").status()).isEqualTo(401);
      assertThat(server.request(key, "GET", "/task", "").status()).isEqualTo(200);
      JsonNode audit = server.request(key, "GET", "/audit", "").json();
      assertThat(audit.get(0).get("who").stringValue()).isEqualTo("command line");
      assertThat(audit.get(0).get("action").stringValue()).isEqualTo("key create");
    }
  }

  @Test
  void shows_a_key_once_and_lists_it_without_its_secret() {
    try (TestServer server = TestServer.in(folder)) {
      CliResult created = on(server).run("key", "create", "ops", "--role", "admin");
      assertThat(created.code()).as(created.err()).isZero();
      String key = created.lines().get(2);
      assertThat(key).matches("pk_[a-z0-9]{12}_\\S{43}");
      assertThat(created.out())
          .contains("shown only once", "perdure key revoke " + key.substring(3, 15));

      TestCli ops = on(server).environment("PERDURE_KEY", key);
      ops.run("key", "create", "ci", "--role", "submit,read", "--expires", "90d");
      CliResult list = ops.run("key", "list");
      assertThat(list.out())
          .contains("ops", "admin", "ci", "read, submit", "live, expires in", "never")
          .doesNotContain(key.substring(16));
      assertThat(list.lines()).hasSize(3).allMatch(line -> line.length() <= 80);
    }
  }

  @Test
  void lists_a_revoked_key_as_revoked() {
    try (TestServer server = TestServer.in(folder)) {
      String key =
          on(server)
              .run("key", "create", "ops", "--role", "admin", "--json")
              .json()
              .getFirst()
              .get("key")
              .stringValue();
      TestCli ops = on(server).environment("PERDURE_KEY", key);
      String other =
          ops.run("key", "create", "ci", "--role", "read", "--json")
              .json()
              .getFirst()
              .get("id")
              .stringValue();

      CliResult revoked = ops.run("key", "revoke", other);
      assertThat(revoked.code()).isZero();
      assertThat(revoked.out()).startsWith("key " + other + " (ci) is revoked");
      assertThat(ops.run("key", "list").out()).contains("revoked");
      assertThat(ops.run("key", "revoke", "nothing").code()).isEqualTo(1);
      assertThat(ops.run("key", "revoke", "nothing").err())
          .isEqualTo("perdure: there is no API key 'nothing'\n");
    }
  }

  @ParameterizedTest
  @EnumSource(TestDatabase.class)
  void creates_another_key_after_the_last_one_is_revoked(TestDatabase database) {
    String url = database.url(folder);
    TestCli shell = new TestCli();
    String id =
        shell
            .run("key", "create", "ops", "--role", "admin", "--json", "--database", url)
            .json()
            .getFirst()
            .get("id")
            .stringValue();
    assertThat(shell.run("key", "revoke", id, "--database", url).out()).contains("is revoked");
    assertThat(shell.run("key", "revoke", "nothing", "--database", url).code()).isEqualTo(1);
    assertThat(shell.run("key", "create", "eye", "--role", "read", "--database", url).code())
        .isZero();
    assertThat(
            shell
                .run("key", "create", "duty", "--role", "operate", "--json", "--database", url)
                .json()
                .getFirst()
                .get("roles"))
        .hasToString("[\"operate\"]");
    assertThat(shell.run("key", "list", "--database", url, "--json").json()).hasSize(3);
  }

  @Test
  void reports_usage_errors() {
    TestCli shell = new TestCli();
    String url = "sqlite:" + folder.resolve("x.db");

    assertThat(shell.run("key").code()).isEqualTo(2);
    assertThat(shell.run("key", "creat").err()).contains("did you mean 'create'?");
    assertThat(shell.run("key", "create", "x").err()).contains("--role");
    assertThat(shell.run("key", "create", "x", "--role", "admn", "--database", url).err())
        .contains("unknown role 'admn'; did you mean 'admin'?");
    assertThat(shell.run("key", "create", "x", "--role", "read", "--database", url).err())
        .contains("the first key must have the role admin");
    assertThat(shell.run("key", "list", "--database", "mysql://x").code()).isEqualTo(2);
    assertThat(shell.run("key", "list", "--database", "sqlite:/no/such/folder/x.db").err())
        .contains("database_url: the directory /no/such/folder does not exist");
  }

  @Test
  void reports_that_there_are_no_keys() {
    try (TestServer server = TestServer.in(folder)) {
      assertThat(on(server).run("key", "list").out())
          .isEqualTo("No keys: anyone who can reach the server can do everything.\n");
    }
  }
}
