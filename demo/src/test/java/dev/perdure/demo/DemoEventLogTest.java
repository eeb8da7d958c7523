// SPDX-License-Identifier: Apache-2.0
package dev.perdure.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DemoEventLogTest {

  private static JsonNode json(String text) {
    return JsonMapper.shared().readTree(text.replace('\'', '"'));
  }

  private static final JsonNode TASKS =
      json(
          "[{'id': '1', 'kind': 'a', 'status': 'Success', 'attempt': 1,"
              + " 'last_updated': '2026-01-01T00:00:03Z'},"
              + " {'id': '2', 'kind': 'a', 'status': 'Failure', 'attempt': 0,"
              + " 'failure_reason': 'no', 'give_up_reason': 'exhausted',"
              + " 'last_updated': '2026-01-01T00:00:01Z'}]");
  private static final JsonNode DELIVERIES =
      json("[{'id': '9', 'task_id': '2', 'ended_at': '2026-01-01T00:00:02Z'}]");

  @Test
  void tells_what_happened_oldest_first() {
    assertThat(new DemoEventLog().newEvents(TASKS, DELIVERIES))
        .extracting(DemoEventLog.Event::text)
        .containsExactly(
            "no; given up after 1 attempt (exhausted)",
            "the pager was told that it failed",
            "done after 1 retry");
  }

  @Test
  void tells_nothing_twice() {
    DemoEventLog demoEventLog = new DemoEventLog();
    demoEventLog.newEvents(TASKS, DELIVERIES);

    assertThat(demoEventLog.newEvents(TASKS, DELIVERIES)).isEmpty();
  }
}
