// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.docs;

import static java.time.Duration.ofSeconds;

import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.store.jdbc.JdbcStore;
import java.util.UUID;

/** The quick start of the guide to durable tasks as a program, with its imports. */
final class EmailApp {

  record EmailJob(String to) {}

  private EmailApp() {}

  static UUID run(String url) {
    JdbcStore store = JdbcStore.open(url);
    Engine engine = Engine.on(store);
    engine.register("send-email", EmailJob.class, (job, context) -> {});
    engine.start();

    RetryPolicy policy = RetryPolicy.exponential(ofSeconds(1)).maxRetries(5).build();
    UUID id =
        engine.submit(NewTask.of("send-email", new EmailJob("ada@example.org")).retry(policy));
    engine.close();
    store.close();
    return id;
  }
}
