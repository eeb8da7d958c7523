// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.http.RawHttpClient;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import dev.perdure.server.http.Route;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Sends malformed and hostile requests to every route. To send more requests, or to repeat a run:
 * {@code -Dperdure.fuzz.requests=100000 -Dperdure.fuzz.seed=7}.
 */
@Tag("slow")
@ParameterizedClass
@EnumSource(TestDatabase.class)
class FuzzTest {

  private static final int REQUESTS = Integer.getInteger("perdure.fuzz.requests", 1_500);
  private static final long SEED = Long.getLong("perdure.fuzz.seed", 1);
  private static final ResponseChecker CHECKER = new ResponseChecker(FuzzFixture.SECRET);
  private static final List<String> LISTS_WITHOUT_SECRET =
      List.of(
          "/task?kind=mail",
          "/task?name=mail",
          "/task?q=mail",
          "/task?status=Canceled,Running",
          "/task?metadata=%7B%22h%22:1%7D",
          "/task?created_after=2100-01-01T00:00:00Z",
          "/task?failure_kind=http",
          "/task?sort=-ended_at",
          "/task?batch_id=00000000-0000-7000-8000-000000000000",
          "/retry",
          "/retry/wave?by=kind",
          "/series?window=24h",
          "/overview",
          "/error",
          "/task/facets",
          "/kind?q=a",
          "/find?q=0198",
          "/error?state=RetryPending&by=kind",
          "/delivery",
          "/audit");

  @Parameter private TestDatabase database;
  @TempDir private Path folder;
  private TestServer server;
  private FuzzFixture fixture;

  @BeforeEach
  void start() throws Exception {
    server = database.server(folder, FuzzFixture.settings(database == TestDatabase.POSTGRES));
    fixture = FuzzFixture.on(server);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void no_request_breaks_the_server_or_sees_other_data() throws Exception {
    Fuzzer fuzzer =
        new Fuzzer(server.port(), new ValidRequests(fixture, fixture.admin()), CHECKER, true);
    fuzzer.run(server.routes(), SEED, REQUESTS);

    assertThat(fuzzer.violations())
        .as("seed %d, %d requests, %s", SEED, REQUESTS, fuzzer.statuses())
        .isEmpty();
    assertThat(fuzzer.statuses())
        .as("valid and invalid requests were sent")
        .containsKeys(200, 201, 400);
    assertThat(count(fuzzer, 2)).as("accepted").isGreaterThan(REQUESTS / 10);
    assertThat(count(fuzzer, 4)).as("rejected").isGreaterThan(REQUESTS / 4);
    assertThat(server.get("/health").status()).isEqualTo(200);
    Eventually.await(() -> server.get("/ready").status(), status -> status == 200);
  }

  @Test
  void no_value_of_any_field_breaks_the_server() {
    Fuzzer fuzzer =
        new Fuzzer(server.port(), new ValidRequests(fixture, fixture.admin()), CHECKER, true);
    // Policies are not stored, so one database is enough for them.
    fuzzer.sweep(
        server.routes().stream()
            .filter(
                route -> database == TestDatabase.SQLITE || !route.pattern().startsWith("/policy"))
            .toList());

    assertThat(fuzzer.violations()).as("%s", fuzzer.statuses()).isEmpty();
    assertThat(count(fuzzer, 2)).as("accepted").isGreaterThan(100);
    assertThat(count(fuzzer, 4)).as("rejected").isGreaterThan(1_000);
  }

  @Test
  void a_submit_key_sees_nothing_of_other_tasks() {
    Fuzzer fuzzer =
        new Fuzzer(server.port(), new ValidRequests(fixture, fixture.submitter()), CHECKER, false);
    fuzzer.run(server.routes(), SEED, REQUESTS / 3);

    assertThat(fuzzer.violations()).as("seed %d, %s", SEED, fuzzer.statuses()).isEmpty();
    assertThat(fuzzer.statuses()).containsKeys(201, 403);
  }

  @Test
  void a_filtered_list_shows_no_other_task() throws Exception {
    for (String list : LISTS_WITHOUT_SECRET) {
      assertThat(fixture.request("GET", list, "").body())
          .as(list)
          .doesNotContain(FuzzFixture.SECRET);
    }
    assertThat(fixture.request("GET", "/task", "").body()).contains(FuzzFixture.SECRET);
  }

  private RawResponse send(RawRequest request) throws IOException {
    try (RawHttpClient http = RawHttpClient.to(server.port())) {
      return http.send(request.bytes(server.port())).readResponse();
    }
  }

  /** The examples must be valid, or every mutation would be rejected for the same reason. */
  @Test
  void the_unmutated_examples_are_accepted() throws Exception {
    ValidRequests valid = new ValidRequests(fixture, fixture.admin());
    for (Route route : server.apiRoutes()) {
      RawRequest example = valid.of(route, fixture.createFor(route));
      RawResponse response =
          Eventually.await(() -> send(example), received -> received.status() != 503);
      assertThat(response.status())
          .as("%s: %s", example, response.body())
          .isIn(200, 201, 202, 204, 303);
    }
  }

  private static int count(Fuzzer fuzzer, int hundreds) {
    return fuzzer.statuses().entrySet().stream()
        .filter(status -> status.getKey() / 100 == hundreds)
        .collect(Collectors.summingInt(status -> status.getValue()));
  }
}
