// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.server.access.HandleKey;
import dev.perdure.server.access.HandleTokens;
import dev.perdure.server.http.Headers;
import dev.perdure.server.http.QueryParameters;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.RequestPermit;
import dev.perdure.server.http.Response;
import dev.perdure.store.jdbc.JdbcStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker that claims tasks and disconnects. */
class ClaimByGoneWorkerTest {

  @TempDir private Path folder;
  private JdbcStore store;
  private Engine engine;
  private WorkerRoutes routes;
  private UUID id;

  @BeforeEach
  void open() {
    store = JdbcStore.open("sqlite:" + folder.resolve("perdure.db"));
    engine = Engine.on(store);
    HandleTokens tokens =
        new HandleTokens(List.of(HandleKey.generate("1", new SplittableRandom(4))));
    routes = new WorkerRoutes(engine, new AttemptCredentials(tokens));
    id = engine.submit(NewTask.of("job", 1));
  }

  @AfterEach
  void close() {
    engine.close();
    store.close();
  }

  private static Request claimRequest(String more, boolean clientGone) {
    String body = "{\"worker\": \"ada\", \"kinds\": [\"job\"]%s}".formatted(more);
    return Request.of(
            "POST",
            "/task/claim",
            QueryParameters.parse(""),
            Headers.from(each -> {}),
            () -> body.getBytes(StandardCharsets.UTF_8))
        .withPermit(new RequestPermit(new Semaphore(0), () -> clientGone));
  }

  private Task task() {
    return engine.find(id).orElseThrow();
  }

  @Test
  void gets_no_task_if_it_disconnects_while_waiting() {
    Response response = routes.claim(claimRequest(", \"wait\": \"20s\"", true));

    assertThat(new String(response.body(), StandardCharsets.UTF_8)).isEqualTo("[]\n");
    assertThat(task().epoch()).as("the task was not claimed").isZero();
  }

  @Test
  void tasks_in_an_undelivered_response_are_handed_back() {
    Response response = routes.claim(claimRequest("", false));
    assertThat(task().state()).isEqualTo(TaskState.RUNNING);

    requireNonNull(response.clientGoneAction()).run();

    assertThat(task().state()).isEqualTo(TaskState.PENDING);
    assertThat(task().retryCounters().losses()).isZero();
    assertThat(engine.attempts(id))
        .extracting(attempt -> attempt.details().outcome())
        .containsExactly(AttemptOutcome.HANDED_BACK);
  }
}
