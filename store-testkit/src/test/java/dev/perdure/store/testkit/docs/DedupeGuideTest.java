// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.testing.TestEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The Java examples of the guide to dedupe keys, compiled and run. */
class DedupeGuideTest {

  private final TestEngine test = TestEngine.create();
  private final Engine engine = test.engine();

  @Test
  void a_duplicate_is_answered_with_the_live_task() {
    NewTask sync = NewTask.of("sync", 42).dedupeKey("sync-42");
    SubmissionReceipt first = engine.submitAll(List.of(sync));
    SubmissionReceipt second = engine.submitAll(List.of(sync));

    assertThat(first.isDuplicate(0)).isFalse();
    assertThat(second.isDuplicate(0)).isTrue();
    assertThat(second.ids()).isEqualTo(first.ids());
  }

  @Test
  void the_latest_payload_runs_once_after_a_pause() {
    List<String> indexed = new ArrayList<>();
    engine.register("index", String.class, (what, context) -> indexed.add(what));
    for (String what : List.of("first", "second", "latest")) {
      engine.submit(
          NewTask.of("index", what)
              .dedupeKey("index")
              .replaceDuplicate()
              .runIn(Duration.ofSeconds(30)));
      test.clock().advance(Duration.ofSeconds(20));
      test.runDue();
    }
    assertThat(indexed).isEmpty();
    test.clock().advance(Duration.ofSeconds(10));
    test.runDue();

    assertThat(indexed).containsExactly("latest");
  }
}
