// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.NewTask;
import dev.perdure.policy.Backoff;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.List;

/** Tasks of all sorts. */
final class Orders {

  private static final Duration LONGEST_DELAY = Duration.ofSeconds(40);

  private static final List<RetryPolicy> POLICIES =
      List.of(
          RetryPolicy.none(),
          RetryPolicy.immediate().maxRetries(2).build(),
          RetryPolicy.fixed(Duration.ofSeconds(3)).maxRetries(3).jitter(Jitter.none()).build(),
          RetryPolicy.fixed(Duration.ofSeconds(10))
              .unlimitedRetries()
              .expiresAfter(Duration.ofSeconds(60))
              .build(),
          RetryPolicy.exponential(Duration.ofMillis(500))
              .maxRetries(5)
              .maxDelay(LONGEST_DELAY)
              .jitter(Jitter.full())
              .build(),
          RetryPolicy.exponential(Duration.ofSeconds(1))
              .unlimitedRetries()
              .maxDelay(LONGEST_DELAY)
              .jitter(Jitter.Decorrelated.INSTANCE)
              .build(),
          RetryPolicy.linear(Duration.ofSeconds(2)).maxRetries(4).build(),
          RetryPolicy.ladder(
                  new Backoff.Step(2, Duration.ofSeconds(1)),
                  new Backoff.Step(2, Duration.ofSeconds(20)))
              .build());

  private Orders() {}

  static NewTask draw(World world, String order) {
    Chance chance = world.chance;
    boolean unreadable = chance.oneIn(30);
    NewTask task =
        NewTask.of(chance.pick(NodeProcess.KINDS), unreadable ? "not a number" : order)
            .name(order)
            .retry(chance.pick(POLICIES));
    if (chance.oneIn(3)) {
      task = task.in(chance.seconds(0, 90));
    } else if (chance.oneIn(10)) {
      task = task.at(world.now().plus(chance.seconds(-60, 60)));
    }
    if (chance.oneIn(2)) {
      task = task.timeout(chance.seconds(2, 12));
    }
    if (chance.oneIn(8)) {
      task = task.deadline(world.now().plus(chance.seconds(20, 200)));
    }
    if (chance.oneIn(4)) {
      task = task.priority(chance.between(-100, 100));
    }
    return task;
  }
}
