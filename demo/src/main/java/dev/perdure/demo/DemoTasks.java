// SPDX-License-Identifier: Apache-2.0
package dev.perdure.demo;

import static java.time.Duration.ofSeconds;

import dev.perdure.client.TaskRequest;
import dev.perdure.client.Webhook;
import dev.perdure.policy.Backoff;
import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** The tasks of the demo, in turn; each kind fails in a different way. */
final class DemoTasks {

  private static final RetryPolicy BACKOFF =
      RetryPolicy.exponential(ofSeconds(1)).maxRetries(4).maxDelay(ofSeconds(8)).build();
  private static final RetryPolicy LADDER =
      RetryPolicy.ladder(Backoff.step(2, ofSeconds(1)), Backoff.step(2, ofSeconds(4)))
          .jitter(Jitter.none())
          .build();
  private static final RetryPolicy ONE_RETRY =
      RetryPolicy.fixed(ofSeconds(2)).maxRetries(1).build();
  private static final RetryPolicy NEVER_ON_4XX =
      RetryPolicy.exponential(ofSeconds(1))
          .maxRetries(4)
          .neverOn(FailureMatcher.clientErrors())
          .build();

  private final List<Template> templates;
  private int submitted;

  /**
   * @param name the start of each task's name
   */
  private record Template(String name, TaskRequest task) {}

  DemoTasks(URI service) {
    this.templates =
        List.of(
            new Template(
                "legacy call",
                call("call-legacy", service, "/legacy")
                    .retry(LADDER)
                    .onFailure(Webhook.post(service.resolve("/pager")))),
            new Template("welcome mail", call("send-email", service, "/mail").retry(BACKOFF)),
            new Template(
                "thumbnail", TaskRequest.of("resize-image", Map.of("px", 200)).retry(BACKOFF)),
            new Template("stock update", call("sync-stock", service, "/stock").retry(BACKOFF)),
            new Template("invoice", call("charge-card", service, "/card").retry(NEVER_ON_4XX)),
            new Template(
                "monthly report",
                start("print-report", service, "/report")
                    .retry(ONE_RETRY)
                    .timeout(ofSeconds(10))
                    .expectedCount(10)),
            new Template(
                "partner feed",
                start("import-feed", service, "/feed").retry(ONE_RETRY).timeout(ofSeconds(3))));
  }

  /** A task whose result is the response of the service. */
  private static TaskRequest call(String kind, URI service, String path) {
    return TaskRequest.of(kind)
        .onStart(Webhook.post(service.resolve(path)).completesWithResponse());
  }

  /** A task whose result the service reports later. */
  private static TaskRequest start(String kind, URI service, String path) {
    return TaskRequest.of(kind).onStart(Webhook.post(service.resolve(path)));
  }

  TaskRequest next() {
    Template template = templates.get(submitted % templates.size());
    submitted++;
    return template.task().name(template.name() + " " + submitted);
  }
}
