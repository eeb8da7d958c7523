// SPDX-License-Identifier: Apache-2.0
package dev.perdure.demo;

import java.net.URI;
import java.util.List;

/** The tasks of the example, one sort after the other: each shows another way to fail. */
final class DemoTasks {

  private static final String SOON =
      "{\"max_retries\": 4, \"backoff\": {\"type\": \"exponential\", \"initial\": \"1s\"},"
          + " \"max_delay\": \"8s\"}";
  private static final String SHORT_LADDER =
      "{\"backoff\": {\"type\": \"ladder\", \"steps\": [{\"count\": 2, \"delay\": \"1s\"},"
          + " {\"count\": 2, \"delay\": \"4s\"}]}, \"jitter\": \"none\"}";
  private static final String ONCE_MORE =
      "{\"max_retries\": 1, \"backoff\": {\"type\": \"fixed\", \"delay\": \"2s\"}}";
  private static final String NEVER_FOR_4XX =
      "{\"max_retries\": 4, \"backoff\": {\"type\": \"exponential\", \"initial\": \"1s\"},"
          + " \"never_on\": [\"4xx\"]}";

  private final List<TaskTemplate> templates;
  private int number;

  /**
   * @param name what people read
   * @param more further fields of the task, each with a comma before it
   */
  private record TaskTemplate(String kind, String name, String retry, String more) {}

  DemoTasks(URI service) {
    this.templates =
        List.of(
            new TaskTemplate(
                "call-legacy",
                "the old system",
                SHORT_LADDER,
                start(service, "/legacy", "response")
                    + ", \"on_failure\": [%s]".formatted(hook(service, "/pager", ""))),
            new TaskTemplate(
                "send-email", "welcome mail", SOON, start(service, "/mail", "response")),
            new TaskTemplate(
                "resize-image", "a picture, by a worker", SOON, ", \"payload\": {\"px\": 200}"),
            new TaskTemplate(
                "sync-stock", "stock of a warehouse", SOON, start(service, "/stock", "response")),
            new TaskTemplate(
                "charge-card", "an invoice", NEVER_FOR_4XX, start(service, "/card", "response")),
            new TaskTemplate(
                "print-report",
                "monthly report",
                ONCE_MORE,
                start(service, "/report", "callback")
                    + ", \"timeout\": 10, \"expected_count\": 10"),
            new TaskTemplate(
                "import-feed",
                "a partner's feed",
                ONCE_MORE,
                start(service, "/feed", "callback") + ", \"timeout\": 3"));
  }

  private static String start(URI service, String path, String completion) {
    String more = ", \"completion\": \"%s\"".formatted(completion);
    return ", \"on_start\": " + hook(service, path, more);
  }

  private static String hook(URI service, String path, String more) {
    return "{\"kind\": \"Webhook\", \"params\": {\"url\": \"%s\", \"verb\": \"Post\"%s}}"
        .formatted(service.resolve(path), more);
  }

  /** One more task, as JSON. */
  String next() {
    TaskTemplate taskTemplate = templates.get(number % templates.size());
    number++;
    return "{\"kind\": \"%s\", \"name\": \"%s %d\", \"retry\": %s%s}"
        .formatted(
            taskTemplate.kind(),
            taskTemplate.name(),
            number,
            taskTemplate.retry(),
            taskTemplate.more());
  }
}
