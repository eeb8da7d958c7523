// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Batch;
import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.TaskContext;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The contract of engines that run tasks with limits on threads of their own. */
@Timeout(120)
public abstract class EngineLimitRunContract extends EngineOnStore {

  private static final int MAX = 3;

  private final CyclicBarrier together = new CyclicBarrier(MAX);
  private final AtomicInteger running = new AtomicInteger();

  protected EngineLimitRunContract(Supplier<StoreFixture> fixtures) {
    super(fixtures);
  }

  /** Waits until as many handlers run as the limit allows, so that the limit is reached. */
  private void runTogether(Mail mail, TaskContext context) throws Exception {
    received.add(running.incrementAndGet());
    together.await(60, TimeUnit.SECONDS);
    running.decrementAndGet();
  }

  private static Batch batch(int count, NewTask task) {
    return Batch.of(IntStream.range(0, count).mapToObj(i -> task).toList());
  }

  @Test
  void handlers_on_all_nodes_together_reach_the_limit_and_never_exceed_it() throws Exception {
    Engine other = builder().build();
    List.of(engine, other).forEach(it -> it.register("mail", Mail.class, this::runTogether));
    engine.start();
    other.start();
    try (other) {
      NewTask task = NewTask.of("mail", MAIL).limit(Limit.concurrency(MAX));
      for (UUID id : engine.submit(batch(10 * MAX, task)).ids()) {
        listener.awaitState(id, TaskState.SUCCESS);
      }
    }

    assertThat(received).hasSize(10 * MAX).contains(MAX).allMatch(count -> (int) count <= MAX);
  }

  @Test
  void a_rate_starts_all_tasks_in_time() throws Exception {
    engine.register("mail", Mail.class, (mail, context) -> received.add(System.nanoTime()));
    engine.start();
    NewTask task = NewTask.of("mail", MAIL).limit(Limit.rate(10, Duration.ofMillis(200)));
    for (UUID id : engine.submit(batch(20, task)).ids()) {
      listener.awaitState(id, TaskState.SUCCESS);
    }

    assertThat(received).hasSize(20);
    List<Long> times = received.stream().map(Long.class::cast).sorted().toList();
    assertThat(Duration.ofNanos(times.getLast() - times.getFirst()))
        .isGreaterThan(Duration.ofMillis(300));
  }
}
