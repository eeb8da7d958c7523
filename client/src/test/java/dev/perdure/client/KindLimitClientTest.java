// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.client.KindLimitInfo.StartRate;
import dev.perdure.server.TestServer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits of kinds through the Java client. */
class KindLimitClientTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  @TempDir private Path folder;
  private TestServer server;
  private PerdureClient client;

  @BeforeEach
  void start() {
    server = TestServer.in(folder);
    client = PerdureClient.builder(server.url()).timeout(Duration.ofSeconds(20)).build();
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  @Test
  void limits_of_a_kind_are_set_and_removed() {
    KindLimitInfo set =
        client
            .kindLimits()
            .set(
                "sync",
                LimitRequest.concurrency(10).per("tenant", "host"),
                LimitRequest.rate(5, SECOND).burst(3).per("tenant", "host"));

    assertThat(set)
        .usingRecursiveComparison()
        .ignoringFields("updatedAt")
        .isEqualTo(
            new KindLimitInfo(
                "sync",
                10L,
                new StartRate(5, SECOND, 3),
                List.of("tenant", "host"),
                "operator",
                Instant.EPOCH));
    assertThat(set.updatedAt()).isAfter(Instant.EPOCH);
    assertThat(client.kindLimits().get("sync")).isEqualTo(set);
    assertThat(client.kindLimits().find("sync")).contains(set);
    assertThat(client.kindLimits().remove("sync")).contains(set);
    assertThat(client.kindLimits().remove("sync")).isEmpty();
    assertThat(client.kindLimits().find("sync")).isEmpty();
    assertThatThrownBy(() -> client.kindLimits().get("sync")).isInstanceOf(ApiException.class);
  }

  @Test
  void they_hold_for_tasks_without_limits() {
    KindLimitInfo set = client.kindLimits().set("sync", LimitRequest.concurrency(1));
    assertThat(set.rate()).isNull();
    assertThat(set.fields()).isEmpty();
    client.submit(TaskRequest.of("sync"), TaskRequest.of("sync"));

    assertThat(client.claim(ClaimOptions.of("w", "sync").withLimit(5))).hasSize(1);
    assertThat(client.limits(LimitSearch.all().kind("sync")).items())
        .singleElement()
        .satisfies(
            limit -> {
              assertThat(limit.key()).isEqualTo("concurrency:kind:sync[]");
              assertThat(limit.isOfKind()).isTrue();
              assertThat(limit.waiting()).isEqualTo(1);
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"a/b", "100%", "a b+c", "größe?#", "%2F"})
  void kinds_have_any_characters(String kind) {
    assertThat(client.kindLimits().set(kind, LimitRequest.rate(1, SECOND)).kind()).isEqualTo(kind);
    assertThat(client.kindLimits().remove(kind)).isPresent();
  }

  @Test
  void impossible_limits_are_refused_before_they_are_sent() {
    LimitRequest one = LimitRequest.concurrency(1);
    assertThatThrownBy(() -> client.kindLimits().set("sync"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("limits: must have a limit; use remove for none");
    assertThatThrownBy(() -> client.kindLimits().set("sync", LimitRequest.capacity(5)))
        .hasMessageContaining("not on capacity");
    assertThatThrownBy(() -> client.kindLimits().set("sync", one, one))
        .hasMessageContaining("one limit of each type");
    assertThatThrownBy(
            () -> client.kindLimits().set("sync", one, LimitRequest.rate(1, SECOND).per("a")))
        .hasMessageContaining("the same metadata fields");
    assertThatThrownBy(() -> client.kindLimits().set("sync", LimitRequest.concurrency(0)))
        .isInstanceOfSatisfying(
            ApiException.class,
            refused -> assertThat(refused.errors().getFirst().path()).isEqualTo("max_concurrency"));
  }
}
