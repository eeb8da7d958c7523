// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestServer;
import dev.perdure.server.http.Route;
import dev.perdure.server.http.Wire;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every route of the table gets requests that nobody would send who means well. More of them, or
 * the same again: {@code -Dperdure.fuzz.requests=100000 -Dperdure.fuzz.seed=7}.
 */
class FuzzTest {

  private static final int REQUESTS = Integer.getInteger("perdure.fuzz.requests", 2_400);
  private static final long SEED = Long.getLong("perdure.fuzz.seed", 1);
  private static final String SECRET = "not-for-you";

  @TempDir private Path folder;

  @Test
  void no_request_breaks_the_server_or_gets_what_it_did_not_ask_for() throws IOException {
    try (TestServer server = TestServer.in(folder)) {
      Fuzzer fuzzer = new Fuzzer(server.port(), new Examples(tasks(server)), new Judge(SECRET));
      fuzzer.run(server.routes(), SEED, REQUESTS);

      assertThat(fuzzer.complaints())
          .as("seed %d, %d requests, %s", SEED, REQUESTS, fuzzer.statuses())
          .isEmpty();
      assertThat(fuzzer.statuses()).as("some meant well, some did not").containsKeys(200, 201, 400);
      assertThat(count(fuzzer, 2)).as("got through").isGreaterThan(REQUESTS / 10);
      assertThat(count(fuzzer, 4)).as("were refused").isGreaterThan(REQUESTS / 4);
      assertThat(server.get("/health").status()).isEqualTo(200);
      assertThat(server.get("/ready").status()).isEqualTo(200);
    }
  }

  @Test
  void no_value_of_any_field_breaks_the_server() throws IOException {
    try (TestServer server = TestServer.in(folder)) {
      Fuzzer fuzzer = new Fuzzer(server.port(), new Examples(tasks(server)), new Judge(SECRET));
      fuzzer.sweep(keysLast(server.routes()));

      assertThat(fuzzer.complaints()).as("%s", fuzzer.statuses()).isEmpty();
      assertThat(count(fuzzer, 2)).as("got through").isGreaterThan(100);
      assertThat(count(fuzzer, 4)).as("were refused").isGreaterThan(1_000);
    }
  }

  /** What is spoiled must have been good: else every refusal would be for the same reason. */
  @Test
  void the_examples_are_accepted() throws IOException {
    try (TestServer server = TestServer.in(folder)) {
      Examples examples = new Examples(tasks(server));
      for (Route route : keysLast(server.routes())) {
        RawRequest example = examples.of(route, new SplittableRandom(SEED));
        try (Wire wire = Wire.to(server.port())) {
          Wire.Answer answer = wire.send(example.bytes(server.port())).answer();
          assertThat(answer.status())
              .as("%s: %s", example, answer.body())
              .isIn(200, 201, 202, 303, 403, 404, 409);
        }
      }
    }
  }

  private static int count(Fuzzer fuzzer, int hundreds) {
    return fuzzer.statuses().entrySet().stream()
        .filter(status -> status.getKey() / 100 == hundreds)
        .collect(Collectors.summingInt(status -> status.getValue()));
  }

  /** Some to play with, and one that nobody asks for. */
  private static List<String> tasks(TestServer server) throws IOException {
    server.post(
        "/task",
        "{\"kind\": \"hidden\", \"name\": \"%1$s\", \"payload\": \"%1$s\", \"metadata\": {\"a\": \"%1$s\"}}"
            .formatted(SECRET));
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      ids.add(server.post("/task", "{\"kind\": \"mail\"}").json().get(0).get("id").stringValue());
    }
    server.ask("DELETE", "/task/" + ids.getFirst());
    server.ask("PATCH", "/task/pause/" + ids.getLast());
    return ids;
  }

  /** Once there is a key, everything asks for it. */
  private static List<Route> keysLast(List<Route> routes) {
    Predicate<Route> makesKeys =
        route -> route.method().equals("POST") && route.pattern().equals("/key");
    return Stream.concat(
            routes.stream().filter(makesKeys.negate()), routes.stream().filter(makesKeys))
        .toList();
  }
}
