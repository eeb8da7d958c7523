// SPDX-License-Identifier: Apache-2.0
package dev.perdure.demo;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.perdure.client.BatchRequest;
import dev.perdure.client.LimitRequest;
import dev.perdure.client.PerdureClient;
import dev.perdure.client.ScheduleRequest;
import dev.perdure.client.ScheduleTrigger;
import dev.perdure.client.TaskRequest;
import dev.perdure.client.Webhook;
import dev.perdure.policy.Backoff;
import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import java.net.URI;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What makes the dashboard worth looking at, submitted once at the start: a partner that is away,
 * so that hundreds of calls come back together; a schedule that submits a graph which works for
 * minutes; and another one whose task climbs a ladder of retries.
 */
final class DemoBackdrop {

  /** Kinds of which there are too many for a list of events. */
  static final Set<String> NUMEROUS_KINDS = Set.of("sync-partner", "fetch-page");

  static final String CATALOGUE = "catalogue";
  static final int CALLS = 400;
  static final int PAGES = 300;

  /** They stay close to each other, so that each wave is far above the usual load. */
  private static final RetryPolicy TOGETHER =
      RetryPolicy.exponential(ofMinutes(4))
          .maxDelay(Duration.ofHours(1))
          .jitter(Jitter.spread(0.05))
          .unlimitedRetries()
          .expiresAfter(Duration.ofDays(1))
          .build();

  private static final RetryPolicy RETRY_PAGE =
      RetryPolicy.exponential(ofSeconds(2)).maxRetries(5).build();

  private static final RetryPolicy BOOK =
      RetryPolicy.ladder(
              Backoff.step(5, ofSeconds(20)),
              Backoff.step(5, ofMinutes(1)),
              Backoff.forever(ofMinutes(10)))
          .retryOn(FailureMatcher.status(409))
          .jitter(Jitter.none())
          .build();

  private final URI service;

  DemoBackdrop(URI service) {
    this.service = service;
  }

  void submit(PerdureClient client) {
    client.submit(partnerCalls());
    client.schedules().create(catalogueUpdate());
    client.schedules().trigger(CATALOGUE);
    client.schedules().create(bookCourt());
  }

  private BatchRequest partnerCalls() {
    TaskRequest call = call("sync-partner", "/partner").retry(TOGETHER);
    List<TaskRequest> calls = new ArrayList<>();
    for (int i = 1; i <= CALLS; i++) {
      calls.add(call.name("customer " + i).metadata(Map.of("customer", i)));
    }
    return BatchRequest.of(calls).name("partner sync");
  }

  /** Many pages that are alike, between two tasks. */
  private BatchRequest catalogue() {
    List<TaskRequest> tasks = new ArrayList<>();
    tasks.add(call("list-pages", "/rows").localId("list"));
    String[] pages = new String[PAGES];
    TaskRequest page =
        call("fetch-page", "/page")
            .after("list")
            .retry(RETRY_PAGE)
            .limit(LimitRequest.concurrency(2));
    for (int i = 0; i < PAGES; i++) {
      pages[i] = "page-" + (i + 1);
      tasks.add(page.localId(pages[i]).name("page " + (i + 1)));
    }
    tasks.add(call("check-links", "/page").after("list").localId("links").retry(RETRY_PAGE));
    tasks.add(call("publish", "/rows").after(pages).after("links").localId("publish"));
    return BatchRequest.of(tasks).name(CATALOGUE);
  }

  private ScheduleRequest bookCourt() {
    return ScheduleRequest.of(
            "book-court", ScheduleTrigger.every(ofMinutes(2)), call("book-court", "/court"))
        .retry(BOOK);
  }

  private ScheduleRequest catalogueUpdate() {
    return ScheduleRequest.of(
        CATALOGUE, ScheduleTrigger.cron("*/5 * * * *", ZoneOffset.UTC), catalogue());
  }

  private TaskRequest call(String kind, String path) {
    return TaskRequest.of(kind)
        .onStart(Webhook.post(service.resolve(path)).completesWithResponse());
  }
}
