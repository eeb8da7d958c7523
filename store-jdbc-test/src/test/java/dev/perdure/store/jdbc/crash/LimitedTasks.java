// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.Limit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Tasks with limits. Most have one on their tenant, some have one on their region as well, and some
 * have a rate, with or without the others.
 */
final class LimitedTasks {

  static final int TENANTS = 50;
  static final int MAX_PER_TENANT = 2;
  static final int REGIONS = 3;
  static final int APIS = 2;

  /** The number of different limits. */
  static final int LIMITS = TENANTS + REGIONS + APIS;

  /** How many tasks of all tenants may run at once. */
  static final int PLACES = TENANTS * MAX_PER_TENANT;

  static final Limit TENANT = Limit.concurrency(MAX_PER_TENANT).per("tenant");
  static final Limit REGION = Limit.concurrency(5).per("region");
  static final Limit API = Limit.rate(20, Duration.ofSeconds(1)).burst(3).per("api");

  private static final int MIN_MILLIS = 100;
  private static final int MAX_MILLIS = 500;

  private final Random random;
  private int created;

  LimitedTasks(Random random) {
    this.random = random;
  }

  List<NewTask> next(int size) {
    return IntStream.range(0, size).mapToObj(any -> next()).toList();
  }

  private NewTask next() {
    int number = created++;
    int failures = random.nextInt(10) == 0 ? 1 : 0;
    int millis = random.nextInt(MIN_MILLIS, MAX_MILLIS);
    NewTask task =
        new Job(failures, false, millis)
            .task()
            .metadata(
                Map.of(
                    "tenant", number % TENANTS,
                    "region", number % REGIONS,
                    "api", number % APIS));
    return switch (random.nextInt(20)) {
      case 0 -> task.limit(API);
      case 1 -> task.limit(TENANT).limit(API);
      case 2 -> task.limit(REGION).limit(TENANT).limit(API);
      case 3, 4, 5 -> task.limit(TENANT).limit(REGION);
      default -> task.limit(TENANT);
    };
  }
}
