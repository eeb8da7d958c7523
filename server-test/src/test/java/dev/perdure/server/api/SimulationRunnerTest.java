// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.simulate.Scenario;
import dev.perdure.server.http.HttpProblemException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class SimulationRunnerTest {

  private final SimulationRunner runner = new SimulationRunner();

  /** The client does not go away. */
  private static boolean stays() {
    return false;
  }

  private static Scenario scenario(int seed) {
    return new Scenario(
        10,
        100,
        0.5,
        Duration.ofSeconds(5),
        0,
        Duration.ofSeconds(1),
        Duration.ofSeconds(300),
        0.1,
        seed);
  }

  private JsonNode run(int seed, BooleanSupplier clientGone) {
    return runner.run(RetryPolicy.queue(), Failure.http(503), scenario(seed), clientGone);
  }

  @Test
  void keeps_the_last_answers_by_their_request() {
    JsonNode first = run(1, SimulationRunnerTest::stays);

    assertThat(run(1, SimulationRunnerTest::stays)).isSameAs(first);
    assertThat(run(2, SimulationRunnerTest::stays)).isNotSameAs(first);
    for (int seed = 3; seed < 110; seed++) {
      run(seed, SimulationRunnerTest::stays);
    }
    assertThat(runner.keptAnswers()).isEqualTo(100);
    assertThat(run(1, SimulationRunnerTest::stays)).isEqualTo(first).isNotSameAs(first);
  }

  @Test
  void ends_when_the_client_has_gone_and_keeps_nothing() {
    assertThatThrownBy(() -> run(1, () -> true)).isInstanceOf(HttpProblemException.class);

    assertThat(runner.keptAnswers()).isZero();
    assertThat(run(1, SimulationRunnerTest::stays).path("with_policy").path("attempts").asInt())
        .isPositive();
  }

  @Test
  void waits_for_its_turn_before_it_refuses() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch stop = new CountDownLatch(1);
    BooleanSupplier untilStopped =
        () -> {
          started.countDown();
          try {
            stop.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return false;
        };
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<JsonNode> busy = thread.submit(() -> run(1, untilStopped));
      started.await();
      assertThatThrownBy(() -> run(2, SimulationRunnerTest::stays))
          .isInstanceOf(HttpProblemException.class)
          .hasMessageContaining("another simulation is running");
      stop.countDown();
      assertThat(busy.get()).isEqualTo(run(1, SimulationRunnerTest::stays));
    }
    assertThat(run(2, SimulationRunnerTest::stays)).isNotNull();
  }
}
