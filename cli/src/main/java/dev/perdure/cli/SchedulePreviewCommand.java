// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.ScheduleText;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.PerdureClient;
import dev.perdure.client.SchedulePreview;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Shows when a trigger fires. */
@Command(
    name = "preview",
    description = "Show when a schedule would fire, without creating one.",
    footer = {
      "",
      "Warns about days on which the clock changes and a firing moves.",
      "",
      "Examples:",
      "  perdure schedule preview --cron '0 8 * * 1-5' --zone Europe/Paris",
      "  perdure schedule preview --at 02:30 --days sat,sun --zone Europe/Paris"
    })
final class SchedulePreviewCommand implements Callable<Integer> {

  private static final int DEFAULT_COUNT = 10;
  private static final int MAX_COUNT = 100;

  @Mixin private TriggerOptions trigger = new TriggerOptions();

  @Option(names = "--count", paramLabel = "N", description = "Show N firings (10).")
  private @Nullable String count;

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  SchedulePreviewCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    ObjectNode body = body();
    try (PerdureClient client = server.client(context)) {
      ApiResponse response = client.send("POST", "/schedule/preview", body);
      if (output.json) {
        context.out().println(response.json());
      } else {
        ScheduleText.preview(
            output.writer(context),
            response.read(SchedulePreview::of),
            response.serverTime().orElse(context.now()));
      }
    }
    return Perdure.EXIT_OK;
  }

  private ObjectNode body() {
    OptionParser parser = new OptionParser();
    int firings = parser.count("--count", count, DEFAULT_COUNT, 1, MAX_COUNT);
    trigger.check(parser);
    ObjectNode json = trigger.applyTo(JsonNodeFactory.instance.missingNode());
    if (!TriggerOptions.isComplete(json)) {
      parser.addError("--cron", TriggerOptions.MISSING);
    }
    parser.throwIfInvalid();
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.set("trigger", json);
    return body.put("count", firings);
  }
}
