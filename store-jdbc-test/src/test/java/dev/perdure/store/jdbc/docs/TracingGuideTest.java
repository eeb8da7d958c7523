// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java examples of the guide to tracing, compiled and run. */
class TracingGuideTest {

  private static final String HEADER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private final BlockingQueue<String> continued = new LinkedBlockingQueue<>();
  private @TempDir Path folder;

  record EmailJob(String to) {}

  private void send(EmailJob job, String traceparent) {
    continued.add(job.to() + " " + traceparent);
  }

  private static UUID submitted(Engine engine, String header) {
    NewTask task = NewTask.of("send-email", new EmailJob("ada@example.org"));
    UUID id = engine.submit(TraceContext.parse(header).map(task::traceParent).orElse(task));
    return id;
  }

  @Test
  void a_handler_continues_the_trace_of_the_submitter() throws Exception {
    TracingGuideTest mailer = this;
    try (JdbcStore store = JdbcStore.open("sqlite:" + folder.resolve("perdure.db"));
        Engine engine = Engine.on(store)) {
      engine.register(
          "send-email",
          EmailJob.class,
          (job, context) -> mailer.send(job, context.traceParent().traceparent()));
      engine.start();

      UUID id = submitted(engine, HEADER);
      assertThat(continued.poll(30, TimeUnit.SECONDS)).isEqualTo("ada@example.org " + HEADER);
      assertThat(engine.find(id).orElseThrow().trace().traceparent()).isEqualTo(HEADER);

      UUID other = submitted(engine, "nonsense");
      assertThat(continued.poll(30, TimeUnit.SECONDS))
          .isEqualTo("ada@example.org " + engine.find(other).orElseThrow().trace().traceparent());
    }
  }
}
