// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.json.PolicyReportJson;
import dev.perdure.policy.simulate.OutageSimulation;
import dev.perdure.policy.simulate.Scenario;
import dev.perdure.server.http.HttpProblemException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Runs one simulation at a time, because it keeps a core busy for seconds, and tasks need the
 * others. The last answers are kept: a page asks for the same ones again. Thread-safe.
 */
final class SimulationRunner {

  private static final int MAX_KEPT = 100;
  private static final int MAX_KEPT_CHARACTERS = 500_000;
  private static final Duration MAX_WAIT = Duration.ofSeconds(2);

  private final Semaphore turn = new Semaphore(1, true);
  private final Map<Question, JsonNode> answers =
      new LinkedHashMap<>(16, 0.75f, true) {

        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Question, JsonNode> eldest) {
          return size() > MAX_KEPT;
        }
      };

  private record Question(RetryPolicy policy, Failure failure, Scenario scenario) {}

  /**
   * Returns the report.
   *
   * @param clientGone whether anyone still wants the answer
   */
  JsonNode run(RetryPolicy policy, Failure failure, Scenario scenario, BooleanSupplier clientGone) {
    Question question = new Question(policy, failure, scenario);
    return kept(question)
        .orElseGet(
            () -> {
              awaitTurn();
              try {
                // Whoever had the turn may have asked the same.
                return kept(question).orElseGet(() -> answer(question, clientGone));
              } finally {
                turn.release();
              }
            });
  }

  private JsonNode answer(Question question, BooleanSupplier clientGone) {
    try {
      JsonNode answer =
          PolicyReportJson.report(
              OutageSimulation.run(
                  question.policy(), question.failure(), question.scenario(), clientGone));
      if (answer.toString().length() <= MAX_KEPT_CHARACTERS) {
        keep(question, answer);
      }
      return answer;
    } catch (CancellationException gone) {
      throw HttpProblemException.unavailable("the client has gone");
    }
  }

  private void awaitTurn() {
    try {
      if (turn.tryAcquire(MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
    throw HttpProblemException.unavailable(
        "another simulation is running, and only one can run at a time");
  }

  private synchronized Optional<JsonNode> kept(Question question) {
    @Nullable JsonNode answer = answers.get(question);
    return Optional.ofNullable(answer);
  }

  private synchronized void keep(Question question, JsonNode answer) {
    answers.put(question, answer);
  }

  synchronized int keptAnswers() {
    return answers.size();
  }
}
