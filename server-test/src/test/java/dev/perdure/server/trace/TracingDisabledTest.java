// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.ServerProcess;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.WebhookReceiver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server without a collector loads no tracing library. */
@Tag("slow")
class TracingDisabledTest {

  @TempDir private Path folder;

  /** The classes that a server loads until a task has ended and its webhook is sent. */
  private String loadedClasses(String... flags) throws IOException, InterruptedException {
    Path log = folder.resolve("classes.log");
    try (WebhookReceiver receiver = WebhookReceiver.replyingOk();
        ServerProcess server =
            ServerProcess.start(
                folder,
                List.of("-Xlog:class+load:file=" + log),
                ServerProcess.database(TestDatabase.SQLITE, folder),
                flags)) {
      server.submit(
          "{\"kind\": \"etl\", \"on_start\": %s, \"on_success\": [%s]}"
              .formatted(
                  receiver.action("/start", ", \"completion\": \"response\""),
                  receiver.action("/end")));
      receiver.next("/end");
      server.kill();
    }
    return Files.readString(log);
  }

  @Test
  void loads_no_opentelemetry_classes() throws Exception {
    assertThat(loadedClasses())
        .contains("dev.perdure.server.trace.NoopTracing ")
        .doesNotContain("io.opentelemetry")
        .doesNotContain("dev.perdure.server.trace.otlp.");
  }

  @Test
  void opentelemetry_classes_are_seen_when_tracing_is_enabled() throws Exception {
    assertThat(loadedClasses("--otel-exporter-otlp-endpoint=http://127.0.0.1:9"))
        .contains("io.opentelemetry.sdk.trace.SdkTracerProvider ");
  }
}
