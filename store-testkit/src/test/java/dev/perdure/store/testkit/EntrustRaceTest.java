// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Engine;
import dev.perdure.engine.HandlerOptions;
import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A task is entrusted just when its node asks what it holds, or when nobody knows how it ended. */
class EntrustRaceTest {

  private static final String LANE = "perdure:call";
  private static final NewTask CALL =
      NewTask.of("job", 1).lane(LANE).timeout(Duration.ofMinutes(1));

  private final FakeClock clock = new FakeClock();
  private final Map<String, Runnable> onceBehind = new HashMap<>();
  private volatile Consumer<String> inTheWay = call -> {};
  private final TaskStore store =
      Obstructed.by(new ModelStore(clock, 1), call -> inTheWay.accept(call), this::behind);
  private final Heard heard = new Heard();
  private final ManualEngine node =
      Steps.on(store, clock, Steps.AT_ONCE).listener(heard).buildManual();

  private void behind(String call) {
    Runnable once = onceBehind.remove(call);
    if (once != null) {
      once.run();
    }
  }

  /** Called, and taken over by the callee; that is not written yet. */
  private UUID called() {
    node.engine()
        .registerLane(
            LANE,
            context -> {
              throw context.entrust(null);
            },
            HandlerOptions.none());
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
    onceBehind.put("renew", node::settle);
    node.renew();
    node.reconcile();

    assertWithTheCallee(id);
  }

  @Test
  void it_is_not_handed_back_by_a_node_that_leaves() {
    UUID id = called();
    onceBehind.put("held", node::settle);
    node.leave();

    assertWithTheCallee(id);
  }

  @Test
  void that_nobody_knows_how_one_ended_keeps_no_other_from_being_told() {
    UUID canceled = called();
    UUID other = node.engine().submit(CALL);
    assertThat(node.claim()).isOne();
    Engine.on(store).cancel(canceled);
    inTheWay =
        call -> {
          if (call.equals("attempts")) {
            throw new StoreException("away", null, StoreException.Sort.UNAVAILABLE);
          }
        };
    node.settle();

    assertThat(heard.stale()).extracting(LeaseKey::task).containsExactly(canceled);
    assertThat(heard.changes()).extracting(Change::task).containsExactly(other);
  }
}
