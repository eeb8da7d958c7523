// SPDX-License-Identifier: Apache-2.0
package dev.perdure.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.client.DeliveryInfo;
import dev.perdure.client.TaskInfo;
import dev.perdure.client.WaitingRetry;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class DemoEventLogTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static final List<WaitingRetry> RETRIES =
      List.of(
          new WaitingRetry(
              task(3, 4, "'RetryPending', 'attempt': 2, 'failure_kind': 'timeout'"),
              2,
              3,
              1,
              2,
              "attempt 1/4, step 2/3"));
  private static final List<TaskInfo> ENDED =
      List.of(
          task(1, 3, "'Success', 'attempt': 1"),
          task(
              2,
              1,
              "'Failure', 'attempt': 0, 'failure_kind': 'webhook_failure', 'failure_reason': 'it answered 500', 'give_up_reason': 'exhausted'"));
  private static final List<DeliveryInfo> DELIVERIES =
      List.of(
          new DeliveryInfo(
              new UUID(9, 9),
              new UUID(0, 2),
              new UUID(0, 0),
              "on_failure",
              "sent",
              0,
              0,
              START,
              null,
              null,
              START.plusSeconds(2),
              START.plusSeconds(2),
              null,
              null,
              null,
              null,
              null,
              null));

  private static TaskInfo task(long id, int second, String statusAndMore) {
    String json =
        ("{'id': '%s', 'batch_id': '%s', 'run': 1, 'kind': 'a', 'epoch': 1, 'priority': 0,"
                + " 'paused': false, 'losses': 0, 'created_at': '%s', 'run_at': '%s',"
                + " 'last_updated': '%s', 'next_retry_at': '%s', 'status': %s}")
            .formatted(
                new UUID(0, id),
                new UUID(0, 0),
                START,
                START,
                START.plusSeconds(second),
                START.plusSeconds(second + 4),
                statusAndMore);
    return TaskInfo.of(JsonMapper.shared().readTree(json.replace('\'', '"')));
  }

  @Test
  void reports_events_oldest_first() {
    assertThat(new DemoEventLog().newEvents(RETRIES, ENDED, DELIVERIES))
        .extracting(DemoEventLog.Event::text)
        .containsExactly(
            "HTTP 500; gave up (exhausted, 1 attempt)",
            "the pager was notified",
            "done after 1 retry",
            "timeout; retries in 4.0 s (attempt 1/4, step 2/3)");
  }

  @Test
  void reports_no_event_twice() {
    DemoEventLog log = new DemoEventLog();
    log.newEvents(RETRIES, ENDED, DELIVERIES);

    assertThat(log.newEvents(RETRIES, ENDED, DELIVERIES)).isEmpty();
  }
}
