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

/** A hand-off that is settled while its node lists its leases, or whose task has already ended. */
class HandOffRaceTest {

  private static final String QUEUE = "perdure:call";
  private static final NewTask CALL =
      NewTask.of("job", 1).queue(QUEUE).timeout(Duration.ofMinutes(1));

  private final FakeClock clock = new FakeClock();
  private final Map<String, Runnable> afterCallOnce = new HashMap<>();
  private volatile Consumer<String> beforeCall = call -> {};
  private final TaskStore store =
      InterceptedStore.wrap(
          new InMemoryStore(clock, 1), call -> beforeCall.accept(call), this::runAfter);
  private final RecordingListener listener = new RecordingListener();
  private final ManualEngine node =
      ManualEngines.on(store, clock, ManualEngines.AT_ONCE).listener(listener).buildManual();

  private void runAfter(String call) {
    Runnable once = afterCallOnce.remove(call);
    if (once != null) {
      once.run();
    }
  }

  /** Runs a handler that hands off its task. The hand-off is not settled yet. */
  private UUID handOff() {
    node.engine()
        .registerQueue(
            QUEUE,
            context -> {
              throw context.handOff(null);
            },
            HandlerOptions.defaults());
    UUID id = node.engine().submit(CALL);
    node.renew();
    assertThat(node.claim()).isOne();
    return id;
  }

  private void assertHandedOff(UUID id) {
    Task task = node.engine().find(id).orElseThrow();
    assertThat(task.state()).isEqualTo(TaskState.RUNNING);
    assertThat(task.worker()).isNull();
    assertThat(node.engine().attempts(id)).isEmpty();
  }

  @Test
  void a_hand_off_during_a_renewal_is_not_taken_for_a_lost_claim() {
    UUID id = handOff();
    afterCallOnce.put("renew", node::settle);
    node.renew();
    node.reconcile();

    assertHandedOff(id);
  }

  @Test
  void a_leaving_node_does_not_hand_back_a_task_that_was_handed_off() {
    UUID id = handOff();
    afterCallOnce.put("leasesOf", node::settle);
    node.leave();

    assertHandedOff(id);
  }

  @Test
  void an_unreadable_attempt_does_not_stop_the_notification_about_another_task() {
    UUID canceled = handOff();
    UUID other = node.engine().submit(CALL);
    assertThat(node.claim()).isOne();
    Engine.on(store).cancel(canceled);
    beforeCall =
        call -> {
          if (call.equals("attempts")) {
            throw new StoreException("store is down", null, StoreException.ErrorKind.UNAVAILABLE);
          }
        };
    node.settle();

    assertThat(listener.stale()).extracting(LeaseKey::task).containsExactly(canceled);
    assertThat(listener.changes()).extracting(TaskChange::task).containsExactly(other);
  }
}
