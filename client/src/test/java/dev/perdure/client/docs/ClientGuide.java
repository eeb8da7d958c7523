// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client.docs;

import dev.perdure.client.ApiException;
import dev.perdure.client.AttemptRef;
import dev.perdure.client.AttemptResult;
import dev.perdure.client.BatchInfo;
import dev.perdure.client.BatchRequest;
import dev.perdure.client.BulkOperation;
import dev.perdure.client.BulkResult;
import dev.perdure.client.ClaimOptions;
import dev.perdure.client.ClaimedTask;
import dev.perdure.client.PerdureClient;
import dev.perdure.client.ScheduleInfo;
import dev.perdure.client.ScheduleRequest;
import dev.perdure.client.ScheduleTrigger;
import dev.perdure.client.SubmitResponse;
import dev.perdure.client.TaskInfo;
import dev.perdure.client.TaskRequest;
import dev.perdure.client.TaskSearch;
import dev.perdure.client.TaskStatus;
import dev.perdure.client.TransportException;
import dev.perdure.client.Webhook;
import dev.perdure.policy.RetryPolicy;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The Java of docs/guides/client.md, compiled and run. The snippets must match the page exactly.
 */
final class ClientGuide {

  record Email(String to) {}

  record Picture(int width) {}

  private @Nullable String problem;

  @Nullable String problem() {
    return problem;
  }

  PerdureClient create(URI url, String key) {
    PerdureClient client =
        PerdureClient.builder(url) // for example http://127.0.0.1:8085
            .apiKey(key)
            .timeout(Duration.ofSeconds(30))
            .build();
    return client;
  }

  SubmitResponse submit(PerdureClient client) {
    SubmitResponse response =
        client.submit(
            TaskRequest.of("send-email", new Email("ada@example.org"))
                .name("welcome Ada")
                .metadata(Map.of("customer", 42))
                .retry(RetryPolicy.queue(5)));
    UUID task = response.tasks().getFirst().id();
    UUID batch = response.batchId();
    return new SubmitResponse(batch, List.of(client.get(task)), false);
  }

  TaskRequest webhook(URI service, URI pager) {
    return TaskRequest.of("sync-stock")
        .onStart(Webhook.post(service).completesWithResponse())
        .onFailure(Webhook.post(pager))
        .retryJson("{\"preset\": \"http\"}");
  }

  SubmitResponse submitOnce(PerdureClient client, List<TaskRequest> tasks) {
    return client.submit("nightly-2026-01-31", tasks);
  }

  SubmitResponse submitGraph(PerdureClient client, URI pager) {
    return client.submit(
        BatchRequest.of(
                TaskRequest.of("import").localId("import"),
                TaskRequest.of("check").localId("check").after("import"),
                TaskRequest.of("report").after("import", "check"),
                TaskRequest.of("clean-up").afterEvenIfFailed("check"))
            .name("nightly")
            .retry(RetryPolicy.queue(2))
            .onFailure(Webhook.post(pager)));
  }

  BatchInfo retryBatch(PerdureClient client, UUID batch) {
    BatchInfo info = client.batches().get(batch);
    if (info.endedAt() != null && info.count(TaskStatus.FAILURE) > 0) {
      client.batches().retry(batch);
    }
    return info;
  }

  long read(PerdureClient client, UUID batch) {
    TaskSearch failed = TaskSearch.all().batch(batch).status(TaskStatus.FAILURE);
    try (Stream<TaskInfo> tasks = client.stream(failed)) {
      return tasks.filter(task -> "disk_full".equals(task.failureCode())).count();
    }
  }

  long retryAll(PerdureClient client) {
    TaskSearch failed = TaskSearch.all().kind("resize").giveUpReason("exhausted");
    long retried = 0;
    @Nullable String next = null;
    do {
      BulkResult result = client.bulk(BulkOperation.RETRY, failed, next);
      retried += result.changed();
      next = result.next();
    } while (next != null);
    return retried;
  }

  ScheduleInfo schedule(PerdureClient client) {
    ScheduleTrigger weekdays = ScheduleTrigger.cron("0 8 * * 1-5", ZoneId.of("Europe/Paris"));
    List<Instant> next = client.schedules().preview(weekdays, 10).next();
    ScheduleInfo schedule =
        client
            .schedules()
            .create(
                ScheduleRequest.of("book-seats", weekdays, TaskRequest.of("book"))
                    .retryJson("[{\"count\": 5, \"delay_minutes\": 5}]"));
    return next.isEmpty() ? schedule : client.schedules().get(schedule.name());
  }

  void work(PerdureClient client) {
    ClaimOptions options = ClaimOptions.of("resizer-1", "resize").withLease(Duration.ofMinutes(5));
    for (ClaimedTask claimed : client.claim(options)) {
      try {
        client.succeed(claimed.attempt(), resize(claimed.task().payload(Picture.class)));
      } catch (IllegalStateException e) {
        client.fail(claimed.attempt(), e);
      }
    }
  }

  private static Picture resize(@Nullable Picture picture) {
    if (picture == null) {
      throw new IllegalStateException("no picture");
    }
    return new Picture(picture.width() / 2);
  }

  AttemptResult callBack(PerdureClient client, URI handle) {
    AttemptRef attempt = AttemptRef.ofHandle(handle);
    client.reportProgress(attempt, 20, 0);
    return client.succeed(attempt, Map.of("pages", 20));
  }

  void cancel(PerdureClient client, UUID task) {
    try {
      client.cancel(task);
    } catch (ApiException e) {
      problem = e.isNotFound() ? "there is no such task" : e.detail();
    } catch (TransportException e) {
      problem = e.outcomeUnknown() ? "maybe canceled: " + e.getMessage() : "not canceled";
    }
  }
}
