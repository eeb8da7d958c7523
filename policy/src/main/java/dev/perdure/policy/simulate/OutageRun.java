// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import dev.perdure.policy.Decision;
import dev.perdure.policy.DecisionContext;
import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/*
 * One run of the simulation, event by event. There are three kinds of events:
 *
 *   a request arrives         it is sent at once
 *   an attempt times out      the client asks its policy, then its budget
 *   a retry is due            it is sent
 *
 * The service computes at once when it will finish an attempt (see SimulatedService). If that is in
 * time, the request has succeeded and needs no event. If not, the client will time out, and the
 * service does the work anyway. At the same instant, retries and timeouts come before arrivals, in
 * the order in which they were queued.
 */
final class OutageRun {

  /** How often it asks whether it is still wanted: some hundred times a second. */
  private static final int STEPS_PER_CHECK = 10_000;

  private final RetryPolicy policy;
  private final Failure failure;
  private final ScenarioTimes times;
  private final Arrivals arrivals;
  private final ClientBudgets budgets;
  private final RandomGenerator random;

  private final SimulatedService service;
  private final RunStatistics statistics;
  private final EventQueue events = new EventQueue();
  private final OpenRequests requests = new OpenRequests();

  OutageRun(
      RetryPolicy policy,
      Failure failure,
      ScenarioTimes times,
      Arrivals arrivals,
      ClientBudgets budgets,
      RandomGenerator random) {
    this.policy = policy;
    this.failure = failure;
    this.times = times;
    this.arrivals = arrivals;
    this.budgets = budgets;
    this.random = random;
    this.service = new SimulatedService(times);
    this.statistics = new RunStatistics(times);
  }

  /** Runs to the end of the scenario, or until {@link OutageSimulation#MAX_ATTEMPTS} is reached. */
  RunStatistics runToEnd() {
    return runToEnd(() -> false);
  }

  /** The same, unless it is canceled meanwhile; then it throws a CancellationException. */
  RunStatistics runToEnd(BooleanSupplier canceled) {
    int steps = 0;
    while (nextTime() < times.end() && statistics.totalSent() < OutageSimulation.MAX_ATTEMPTS) {
      step(nextTime());
      steps++;
      if (steps % STEPS_PER_CHECK == 0 && canceled.getAsBoolean()) {
        throw new CancellationException("the simulation was canceled");
      }
    }
    statistics.closeSeconds(Math.min(nextTime(), times.end()), service);
    return statistics;
  }

  /** Returns the number of requests that are neither answered nor given up. */
  int openRequests() {
    return requests.count();
  }

  private long nextTime() {
    return Math.min(arrivals.time(), events.time());
  }

  private void step(long now) {
    statistics.closeSeconds(now, service);
    if (arrivals.time() < events.time()) {
      arrive(now);
      return;
    }
    int code = events.remove();
    if (EventCode.isTimeout(code)) {
      timeOut(now, EventCode.slot(code));
    } else {
      send(now, EventCode.slot(code));
    }
  }

  private void arrive(long now) {
    int client = arrivals.client();
    arrivals.advance();
    statistics.arrived(now);
    budgets.deposit(client);
    send(now, requests.open(now, client));
  }

  private void send(long now, int slot) {
    long arrival = requests.arrived(slot);
    statistics.sent(now, arrival);
    long finished = service.submit(now);
    if (finished - now > times.timeout()) {
      events.add(now + times.timeout(), EventCode.timeout(slot));
      return;
    }
    if (requests.attempt(slot) == 0) {
      statistics.answeredFirstTry(arrival);
    }
    // An answer after the end of the run is not observed: the request stays open.
    if (finished < times.end()) {
      statistics.answered(finished, arrival);
      requests.close(slot);
    }
  }

  private void timeOut(long now, int slot) {
    switch (policy.decide(context(now, slot), failure, random)) {
      case Decision.GiveUp giveUp -> fail(slot);
      case Decision.Retry retry -> {
        if (budgets.take(requests.client(slot))) {
          requests.retryAfter(slot, retry.delay().toMillis());
          events.add(now + retry.delay().toNanos(), EventCode.retry(slot));
        } else {
          statistics.rejectedByBudget(requests.arrived(slot));
          fail(slot);
        }
      }
    }
  }

  private void fail(int slot) {
    statistics.failed();
    requests.close(slot);
  }

  private DecisionContext context(long now, int slot) {
    long previous = requests.previousDelay(slot);
    return new DecisionContext(
        requests.attempt(slot),
        Duration.ofNanos(now - requests.arrived(slot)),
        Instant.EPOCH.plusNanos(now),
        previous == OpenRequests.NO_DELAY ? null : Duration.ofMillis(previous));
  }
}
