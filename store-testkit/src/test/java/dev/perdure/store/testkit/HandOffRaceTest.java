// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Engine;
import dev.perdure.engine.HandlerOptions;
import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskState;
import dev.perdure.testing.FakeClock;
import dev.perdure.testing.InMemoryStore;
import dev.perdure.testing.RecordingListener;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A task is entrusted just when its node asks what it holds, or when nobody knows how it ended. */
class HandOffRaceTest {

  private static final String LANE = "perdure:call";
  private static final NewTask CALL =
      NewTask.of("job", 1).queue(LANE).timeout(Duration.ofMinutes(1));

  private final FakeClock clock = new FakeClock();
  private final Map<String, Runnable> afterCallOnce = new HashMap<>();
  private volatile Consumer<String> beforeCall = call -> {};
  private final TaskStore store =
      InterceptedStore.wrap(
          new InMemoryStore(clock, 1), call -> beforeCall.accept(call), this::runAfter);
  private final RecordingListener recordingListener = new RecordingListener();
  private final ManualEngine node =
      ManualEngines.on(store, clock, ManualEngines.AT_ONCE)
          .listener(recordingListener)
          .buildManual();

  private void runAfter(String call) {
    Runnable once = afterCallOnce.remove(call);
    if (once != null) {
      once.run();
    }
  }

  /** Called, and taken over by the callee; that is not written yet. */
  private UUID called() {
    node.engine()
        .registerQueue(
            LANE,
            context -> {
              throw context.handOff(null);
            },
            HandlerOptions.defaults());
    UUID id = node.engine().submit(CALL);
    node.renew();
    assertThat(node.claim()).isOne();
    return id;
  }

  private void assertWithTheCallee(UUID id) {
    Task task = node.engine().find(id).orElseThrow();
    assertThat(task.state()).isEqualTo(TaskState.RUNNING);
    assertThat(task.worker()).isNull();
    assertThat(node.engine().attempts(id)).isEmpty();
  }

  @Test
  void it_is_not_taken_for_a_claim_whose_answer_was_lost() {
    UUID id = called();
    afterCallOnce.put("renew", node::settle);
    node.renew();
    node.reconcile();

    assertWithTheCallee(id);
  }

  @Test
  void it_is_not_handed_back_by_a_node_that_leaves() {
    UUID id = called();
    afterCallOnce.put("leasesOf", node::settle);
    node.leave();

    assertWithTheCallee(id);
  }

  @Test
  void that_nobody_knows_how_one_ended_keeps_no_other_from_being_told() {
    UUID canceled = called();
    UUID other = node.engine().submit(CALL);
    assertThat(node.claim()).isOne();
    Engine.on(store).cancel(canceled);
    beforeCall =
        call -> {
          if (call.equals("attempts")) {
            throw new StoreException("away", null, StoreException.ErrorKind.UNAVAILABLE);
          }
        };
    node.settle();

    assertThat(recordingListener.stale()).extracting(LeaseKey::task).containsExactly(canceled);
    assertThat(recordingListener.changes()).extracting(TaskChange::task).containsExactly(other);
  }
}
