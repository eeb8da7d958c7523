// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Engine;
import dev.perdure.engine.HandlerOptions;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.query.LimitReader;
import dev.perdure.engine.task.Limit;
import dev.perdure.testing.TestEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The Java examples of the guide to limits, compiled and run. */
class LimitsGuideTest {

  private final TestEngine test = TestEngine.create();
  private final Engine engine = test.engine();
  private final List<String> done = new ArrayList<>();

  private void submitSync() {
    engine.submit(
        NewTask.of("sync", "orders")
            .metadata(Map.of("tenant", "acme"))
            .limit(Limit.concurrency(2).per("tenant")));
  }

  private UUID submitExport() {
    return engine.submit(
        NewTask.of("export", "invoices.csv")
            .metadata(Map.of("tenant", "acme"))
            .expectedCount(400)
            .limit(Limit.concurrency(1).per("tenant")) // one export per tenant
            .limit(Limit.capacity(1_000)) // 1,000 rows in all exports
            .limit(Limit.rate(5, Duration.ofSeconds(1)).burst(3))); // 5 starts per second
  }

  private void send(String address) {
    done.add(address);
  }

  @Test
  void kinds_have_limits() {
    engine.limits().set("sync", Limit.concurrency(10));
    engine.register(
        "mail",
        String.class,
        (address, context) -> send(address),
        HandlerOptions.defaults().withLimits(Limit.rate(5, Duration.ofSeconds(1)).per("tenant")));
    engine.submit(NewTask.of("mail", "ada").metadata(Map.of("tenant", "acme")));
    engine.submit(NewTask.of("mail", "bob").metadata(Map.of("tenant", "acme")));
    test.runDue();

    assertThat(done).containsExactly("ada");
    assertThat(engine.limits().list("", 100))
        .extracting(LimitReader.LimitUsage::key)
        .containsExactly("concurrency:kind:sync[]", "rate:kind:mail[tenant=\"acme\"]");
  }

  @Test
  void tasks_with_limits_run_and_the_limits_can_be_read() {
    engine.register("sync", String.class, (what, context) -> done.add(what));
    engine.register("export", String.class, (file, context) -> done.add(file));
    submitSync();
    UUID task = submitExport();
    test.runDue();

    Optional<LimitReader.LimitWait> wait = engine.limits().waitOf(task);
    List<LimitReader.LimitUsage> limits = engine.limits().list("", 100);
    assertThat(done).containsExactlyInAnyOrder("orders", "invoices.csv");
    assertThat(wait).isEmpty();
    assertThat(limits)
        .extracting(LimitReader.LimitUsage::key)
        .containsExactly(
            "capacity:export[]",
            "concurrency:export[tenant=\"acme\"]",
            "concurrency:sync[tenant=\"acme\"]",
            "rate:export[]");
  }
}
