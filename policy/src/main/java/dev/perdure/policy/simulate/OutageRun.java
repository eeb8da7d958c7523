// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import dev.perdure.policy.Decision;
import dev.perdure.policy.DecisionContext;
import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/*
 * One run, from event to event. There are three kinds of them:
 *
 *   a request arrives         it is sent at once
 *   an attempt times out      the client asks its policy, then its budget
 *   a retry is due            it is sent
 *
 * An attempt that is sent goes to the service, which says at once when it will be finished (see
 * Service). If that is in time, the request has succeeded and needs no event; if not, the client
 * will see its timeout, and the service does the work all the same. At one instant retries and
 * timeouts come before arrivals, in the order in which they were put down.
 */
final class OutageRun {

  private final RetryPolicy policy;
  private final Failure failure;
  private final ScenarioTimes scenarioTimes;
  private final Arrivals arrivals;
  private final ClientBudgets clientBudgets;
  private final RandomGenerator random;

  private final SimulatedService simulatedService;
  private final RunStatistics statistics;
  private final EventQueue events = new EventQueue();
  private final OpenRequests requests = new OpenRequests();

  OutageRun(
      RetryPolicy policy,
      Failure failure,
      ScenarioTimes scenarioTimes,
      Arrivals arrivals,
      ClientBudgets clientBudgets,
      RandomGenerator random) {
    this.policy = policy;
    this.failure = failure;
    this.scenarioTimes = scenarioTimes;
    this.arrivals = arrivals;
    this.clientBudgets = clientBudgets;
    this.random = random;
    this.simulatedService = new SimulatedService(scenarioTimes);
    this.statistics = new RunStatistics(scenarioTimes);
  }

  /** Runs to the end, or to the most attempts. */
  RunStatistics runToEnd() {
    while (nextTime() < scenarioTimes.end()
        && statistics.totalSent() < OutageSimulation.MAX_ATTEMPTS) {
      step(nextTime());
    }
    statistics.closeSeconds(Math.min(nextTime(), scenarioTimes.end()), simulatedService);
    return statistics;
  }

  /** How many requests are neither answered nor given up. */
  int openRequests() {
    return requests.count();
  }

  private long nextTime() {
    return Math.min(arrivals.time(), events.time());
  }

  private void step(long now) {
    statistics.closeSeconds(now, simulatedService);
    if (arrivals.time() < events.time()) {
      arrive(now);
      return;
    }
    int subject = events.remove();
    if (EventCode.isTimeout(subject)) {
      timeOut(now, EventCode.slot(subject));
    } else {
      send(now, EventCode.slot(subject));
    }
  }

  private void arrive(long now) {
    int client = arrivals.client();
    arrivals.advance();
    statistics.arrived(now);
    clientBudgets.deposit(client);
    send(now, requests.open(now, client));
  }

  private void send(long now, int place) {
    long arrival = requests.arrived(place);
    statistics.sent(now, arrival);
    long finished = simulatedService.submit(now);
    if (finished - now > scenarioTimes.timeout()) {
      events.add(now + scenarioTimes.timeout(), EventCode.timeout(place));
      return;
    }
    if (requests.attempt(place) == 0) {
      statistics.answeredFirstTry(arrival);
    }
    // An answer after the end of the run is not seen any more: the request stays open.
    if (finished < scenarioTimes.end()) {
      statistics.answered(finished, arrival);
      requests.close(place);
    }
  }

  private void timeOut(long now, int place) {
    switch (policy.decide(decisionContext(now, place), failure, random)) {
      case Decision.GiveUp giveUp -> fail(place);
      case Decision.Retry retry -> {
        if (clientBudgets.take(requests.client(place))) {
          requests.retryAfter(place, retry.delay().toMillis());
          events.add(now + retry.delay().toNanos(), EventCode.retry(place));
        } else {
          statistics.rejectedByBudget(requests.arrived(place));
          fail(place);
        }
      }
    }
  }

  private void fail(int place) {
    statistics.failed();
    requests.close(place);
  }

  private DecisionContext decisionContext(long now, int place) {
    long before = requests.previousDelay(place);
    return new DecisionContext(
        requests.attempt(place),
        Duration.ofNanos(now - requests.arrived(place)),
        Instant.EPOCH.plusNanos(now),
        before == OpenRequests.NO_DELAY ? null : Duration.ofMillis(before));
  }
}
