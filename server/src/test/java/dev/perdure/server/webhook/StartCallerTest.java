// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineListener;
import dev.perdure.engine.HandlerOptions;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.server.Until;
import dev.perdure.server.trace.Tracing;
import dev.perdure.server.webhook.action.ActionJson;
import dev.perdure.server.webhook.action.CallComposer;
import dev.perdure.server.webhook.guard.AddressGuard;
import dev.perdure.server.webhook.guard.AllowList;
import dev.perdure.server.webhook.handle.HandleKey;
import dev.perdure.server.webhook.handle.Handles;
import dev.perdure.server.webhook.seal.Sealer;
import dev.perdure.server.webhook.seal.SealingKeys;
import dev.perdure.server.webhook.send.CallResult;
import dev.perdure.server.webhook.send.HttpSender;
import dev.perdure.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartCallerTest {

  private static final String ACTIONS =
      """
      {"on_start": {"kind": "Webhook", "params": {"url": "http://127.0.0.1/", "verb": "Post"}}}""";

  @TempDir private Path folder;

  private static StartCaller caller(HttpSender sender) {
    return new StartCaller(
        new ActionJson(new AddressGuard(AllowList.parse("127.0.0.1"))),
        new KeptActions(new Sealer(SealingKeys.parse(""), new SplittableRandom(3))),
        new CallComposer(null),
        sender,
        new CallbackUrl(new Handles(List.of(HandleKey.generate("1", new SplittableRandom(4))))),
        new CallWatch(
            InstantSource.system(), () -> Duration.ZERO, new EngineListener() {}, Tracing.OFF));
  }

  @Test
  void a_start_that_finds_no_room_uses_up_nothing() throws Exception {
    try (JdbcStore store = JdbcStore.open("sqlite:" + folder.resolve("perdure.db"));
        Engine engine = Engine.builder(store).build()) {
      engine.registerLane(
          Webhooks.LANE, caller(call -> new CallResult.NoRoom()), HandlerOptions.none());
      engine.start();
      UUID id =
          engine.submit(
              NewTask.of("etl", 1)
                  .lane(Webhooks.LANE)
                  .actions(ACTIONS)
                  .timeout(Duration.ofMinutes(1)));

      List<Attempt> attempts = Until.answered(() -> engine.attempts(id), list -> !list.isEmpty());
      assertThat(attempts.getFirst().note().outcome()).isEqualTo(AttemptOutcome.SNOOZED);
      assertThat(engine.find(id).orElseThrow().counting().attempt()).isZero();
    }
  }
}
