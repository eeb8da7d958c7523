// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.client.ApiResponse;
import dev.perdure.client.PerdureClient;
import dev.perdure.client.ScheduleInfo;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Changes a schedule. */
@Command(
    name = "edit",
    description = "Change a schedule. What you do not give stays as it is.",
    footer = {
      "",
      "Tasks that the schedule has submitted keep what they have.",
      "",
      "Examples:",
      "  perdure schedule edit nightly --at 03:30",
      "  perdure schedule edit nightly --zone America/New_York --overlap queue",
      "  perdure schedule edit nightly import.json"
    })
final class ScheduleEditCommand implements Callable<Integer> {

  @Parameters(index = "0", paramLabel = "NAME", description = ScheduleCommand.NAME_DESCRIPTION)
  private String name = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "FILE",
      description = ScheduleCommand.FILE_DESCRIPTION)
  private @Nullable String file;

  @Mixin private TriggerOptions trigger = new TriggerOptions();

  @Mixin private ScheduleOptions options = new ScheduleOptions();

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  ScheduleEditCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    ObjectNode body = body();
    String path = ScheduleCommand.path(name);
    try (PerdureClient client = server.client(context)) {
      if (trigger.isGiven()) {
        setTrigger(body, client.get(path, Map.of()));
      }
      ScheduleCommand.printChanged(context, output, client.send("PATCH", path, body));
    }
    return Perdure.EXIT_OK;
  }

  private ObjectNode body() {
    OptionParser parser = new OptionParser();
    trigger.check(parser);
    parser.throwIfInvalid();
    ObjectNode body =
        file == null
            ? JsonNodeFactory.instance.objectNode()
            : ScheduleFile.read(context, file).without("name");
    options.addTo(body);
    if (body.isEmpty() && !trigger.isGiven()) {
      throw new UsageException("", "give at least one option, or a FILE");
    }
    return body;
  }

  /** The options change the trigger of the file or, without one, the one that the schedule has. */
  private void setTrigger(ObjectNode body, ApiResponse response) {
    ScheduleInfo current = response.read(ScheduleInfo::of);
    JsonNode before = body.has("trigger") ? body.get("trigger") : current.trigger();
    body.set("trigger", trigger.applyTo(before));
    // If someone changes the schedule meanwhile, the trigger here may be a mixture.
    body.put("version", current.version());
  }
}
