// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.StoreException;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.http.AuditEntry;
import dev.perdure.server.http.Response;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What schedules cost the store, and what happens when it changes or fails meanwhile. */
class ScheduleStoreCallsTest extends ApiPipelineFixture {

  private static final Set<String> WRITES =
      Set.of("ScheduleStore.create", "ScheduleStore.update", "ScheduleStore.fire");
  private static final Set<String> READS_OF_HISTORY =
      Set.of("ScheduleStore.firings", "ScheduleStore.liveTasks", "TaskReader.list");

  private static final String HOURLY =
      "{\"name\": \"sync\", \"trigger\": {\"every\": \"1h\"}, \"task\": {\"kind\": \"sync\"}}";

  private final List<String> calls = new ArrayList<>();
  private final Deque<Runnable> beforeUpdates = new ArrayDeque<>();
  private final Deque<Runnable> beforeFinds = new ArrayDeque<>();
  private boolean failAfterWrite;
  private boolean failing;

  ScheduleStoreCallsTest(TestDatabase database) {
    super(database);
  }

  @Override
  TaskStore wrap(TaskStore store) {
    return InterceptedStore.of(store, this::onCall);
  }

  private void onCall(String call) {
    calls.add(call);
    if (failing && READS_OF_HISTORY.contains(call)) {
      throw new StoreException("unavailable", null, StoreException.ErrorKind.UNAVAILABLE);
    }
    failing |= failAfterWrite && WRITES.contains(call);
    if (call.equals("ScheduleStore.update") && !beforeUpdates.isEmpty()) {
      beforeUpdates.removeFirst().run();
    } else if (call.equals("ScheduleStore.find") && !beforeFinds.isEmpty()) {
      beforeFinds.removeFirst().run();
    }
  }

  private JsonNode create(String schedule) {
    Response response = request("POST", "/schedule", schedule);
    assertThat(response.status()).isEqualTo(201);
    return json(response);
  }

  private Response change(String body) {
    return request("PATCH", "/schedule/sync", body);
  }

  private JsonNode stored() {
    return json(request("GET", "/schedule/sync", ""));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_change_keeps_what_another_one_changed_meanwhile(boolean early) {
    create(HOURLY);
    (early ? beforeFinds : beforeUpdates).add(() -> change("{\"enabled\": false}"));

    Response changed = change("{\"overlap\": \"queue\"}");

    assertThat(changed.status()).isEqualTo(200);
    assertThat(stored().get("enabled").asBoolean()).isFalse();
    assertThat(stored().get("overlap").asString()).isEqualTo("queue");
    assertThat(auditEntries)
        .extracting(AuditEntry::action)
        .containsExactly("create schedule", "pause schedule", "change schedule");
  }

  @Test
  void a_new_task_keeps_what_another_change_changed_meanwhile() {
    create(HOURLY);
    beforeUpdates.add(() -> change("{\"enabled\": false}"));

    assertThat(change("{\"task\": {\"kind\": \"import\"}}").status()).isEqualTo(200);

    assertThat(stored().get("enabled").asBoolean()).isFalse();
    assertThat(stored().get("task").get("kind").asString()).isEqualTo("import");
  }

  @Test
  void a_change_that_is_always_too_late_is_a_conflict() {
    create(HOURLY);
    for (int i = 1; i <= 3; i++) {
      String other = "{\"trigger\": {\"every\": \"%dm\"}}".formatted(i);
      beforeUpdates.add(() -> change(other));
      beforeUpdates.add(() -> {}); // That of the other change.
    }

    Response changed = change("{\"overlap\": \"queue\"}");

    assertThat(changed.status()).isEqualTo(409);
    assertThat(json(changed).get("detail").asString()).contains("has changed");
    assertThat(stored().get("overlap").asString()).isEqualTo("skip");
  }

  @Test
  void a_change_with_a_version_is_not_tried_again() {
    long version = create(HOURLY).get("version").asLong();
    beforeUpdates.add(() -> change("{\"enabled\": false}"));

    Response changed = change("{\"overlap\": \"queue\", \"version\": %d}".formatted(version));

    assertThat(changed.status()).isEqualTo(409);
    assertThat(stored().get("overlap").asString()).isEqualTo("skip");
  }

  @Test
  void a_change_is_confirmed_although_the_history_cannot_be_read() {
    failAfterWrite = true;
    JsonNode created = create(HOURLY);
    assertThat(created.get("name").asString()).isEqualTo("sync");
    assertThat(created.get("next_firings")).hasSize(10);
    assertThat(created.has("last_firings")).isFalse();
    failing = false;

    Response changed = change("{\"overlap\": \"queue\"}");
    assertThat(changed.status()).isEqualTo(200);
    assertThat(json(changed).get("overlap").asString()).isEqualTo("queue");
    failing = false;

    Response replaced = request("PUT", "/schedule/sync", HOURLY.replace("1h", "2h"));
    assertThat(replaced.status()).isEqualTo(200);
    assertThat(json(replaced).get("trigger").get("every").asString()).isEqualTo("2h");
  }

  @Test
  void a_firing_is_confirmed_although_its_task_cannot_be_read() {
    create(HOURLY);
    failAfterWrite = true;

    Response fired = request("POST", "/schedule/sync/trigger", "{}");

    assertThat(fired.status()).isEqualTo(201);
    failing = false;
    JsonNode last = stored().get("last");
    assertThat(json(fired).get("batch_id")).isEqualTo(last.get("batch_id"));
    assertThat(json(fired).get("task").isNull()).isTrue();
  }

  @Test
  void a_list_reads_each_thing_once() {
    create(HOURLY);
    create(
        """
        {"name": "pair", "trigger": {"every": "1h"}, "batch": [{"kind": "a"}, {"kind": "b"}],
         "retry": [{"count": 2, "delay_minutes": 5}]}""");
    request("POST", "/schedule/sync/trigger", "{}");
    request("POST", "/schedule/pair/trigger", "{}");
    calls.clear();

    assertThat(json(request("GET", "/schedule", ""))).hasSize(2);

    assertThat(calls)
        .containsExactlyInAnyOrder(
            "ScheduleStore.list",
            "ScheduleStore.firings",
            "BatchStore.find",
            "ScheduleStore.liveTasks",
            "TaskReader.findAll",
            "ScheduleStore.firings",
            "BatchStore.find",
            "TaskReader.list",
            "ScheduleStore.liveTasks",
            "TaskReader.findAll");
  }
}
