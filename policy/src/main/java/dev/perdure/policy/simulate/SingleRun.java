// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import dev.perdure.policy.Decision;
import dev.perdure.policy.Facts;
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
final class SingleRun {

  private final RetryPolicy policy;
  private final Failure failure;
  private final Times times;
  private final Arrivals arrivals;
  private final Budgets budgets;
  private final RandomGenerator random;

  private final Service service;
  private final RunRecorder recorder;
  private final EventQueue events = new EventQueue();
  private final OpenRequests requests = new OpenRequests();

  SingleRun(
      RetryPolicy policy,
      Failure failure,
      Times times,
      Arrivals arrivals,
      Budgets budgets,
      RandomGenerator random) {
    this.policy = policy;
    this.failure = failure;
    this.times = times;
    this.arrivals = arrivals;
    this.budgets = budgets;
    this.random = random;
    this.service = new Service(times);
    this.recorder = new RunRecorder(times);
  }

  /** Runs to the end, or to the most attempts. */
  RunRecorder toEnd() {
    while (nextTime() < times.end() && recorder.allSent() < Simulation.MOST_ATTEMPTS) {
      step(nextTime());
    }
    recorder.endSeconds(Math.min(nextTime(), times.end()), service);
    return recorder;
  }

  /** How many requests are neither answered nor given up. */
  int open() {
    return requests.count();
  }

  private long nextTime() {
    return Math.min(arrivals.time(), events.time());
  }

  private void step(long now) {
    recorder.endSeconds(now, service);
    if (arrivals.time() < events.time()) {
      arrive(now);
      return;
    }
    int subject = events.remove();
    if (Event.isTimeout(subject)) {
      timeOut(now, Event.place(subject));
    } else {
      send(now, Event.place(subject));
    }
  }

  private void arrive(long now) {
    int client = arrivals.client();
    arrivals.advance();
    recorder.arrived(now);
    budgets.deposit(client);
    send(now, requests.open(now, client));
  }

  private void send(long now, int place) {
    long arrival = requests.arrived(place);
    recorder.sent(now, arrival);
    long finished = service.finish(now);
    if (finished - now > times.timeout()) {
      events.add(now + times.timeout(), Event.timeout(place));
      return;
    }
    if (requests.attempt(place) == 0) {
      recorder.prompt(arrival);
    }
    // An answer after the end of the run is not seen any more: the request stays open.
    if (finished < times.end()) {
      recorder.answered(finished, arrival);
      requests.close(place);
    }
  }

  private void timeOut(long now, int place) {
    switch (policy.decide(facts(now, place), failure, random)) {
      case Decision.GiveUp giveUp -> fail(place);
      case Decision.Retry retry -> {
        if (budgets.take(requests.client(place))) {
          requests.retryAfter(place, retry.delay().toMillis());
          events.add(now + retry.delay().toNanos(), Event.retry(place));
        } else {
          recorder.refused(requests.arrived(place));
          fail(place);
        }
      }
    }
  }

  private void fail(int place) {
    recorder.failed();
    requests.close(place);
  }

  private Facts facts(long now, int place) {
    long before = requests.delayBefore(place);
    return new Facts(
        requests.attempt(place),
        Duration.ofNanos(now - requests.arrived(place)),
        Instant.EPOCH.plusNanos(now),
        before == OpenRequests.NO_DELAY ? null : Duration.ofMillis(before));
  }
}
