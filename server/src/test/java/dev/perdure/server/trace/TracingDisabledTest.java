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

/** Who has no collector pays nothing for those who have one. */
@Tag("slow")
class TracingDisabledTest {

  @TempDir private Path folder;

  /** The classes that a server loads until a task of its is done and told of. */
  private String loaded(String... flags) throws IOException, InterruptedException {
    Path log = folder.resolve("classes.log");
    try (WebhookReceiver webhookReceiver = WebhookReceiver.replyingOk();
        ServerProcess server =
            ServerProcess.start(
                folder,
                List.of("-Xlog:class+load:file=" + log),
                ServerProcess.database(TestDatabase.SQLITE, folder),
                flags)) {
      server.submit(
          "{\"kind\": \"etl\", \"on_start\": %s, \"on_success\": [%s]}"
              .formatted(
                  webhookReceiver.action("/start", ", \"completion\": \"response\""),
                  webhookReceiver.action("/end")));
      webhookReceiver.next("/end");
      server.kill();
    }
    return Files.readString(log);
  }

  @Test
  void loads_nothing_of_opentelemetry() throws Exception {
    assertThat(loaded())
        .contains("dev.perdure.server.trace.NoopTracing ")
        .doesNotContain("io.opentelemetry")
        .doesNotContain("dev.perdure.server.trace.otlp.");
  }

  @Test
  void which_would_be_seen() throws Exception {
    assertThat(loaded("--otel-exporter-otlp-endpoint=http://127.0.0.1:9"))
        .contains("io.opentelemetry.sdk.trace.SdkTracerProvider ");
  }
}
