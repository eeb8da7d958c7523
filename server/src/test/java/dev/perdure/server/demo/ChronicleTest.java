// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ChronicleTest {

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
    assertThat(new Chronicle().read(TASKS, DELIVERIES))
        .extracting(Chronicle.Event::text)
        .containsExactly(
            "no; given up after 1 attempt (exhausted)",
            "the pager was told that it failed",
            "done after 1 retry");
  }

  @Test
  void tells_nothing_twice() {
    Chronicle chronicle = new Chronicle();
    chronicle.read(TASKS, DELIVERIES);

    assertThat(chronicle.read(TASKS, DELIVERIES)).isEmpty();
  }
}
