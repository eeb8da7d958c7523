// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.client.PerdureClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** Creates a schedule. */
@Command(
    name = "add",
    description = "Create a schedule that submits a task or a batch each time it fires.",
    footer = {
      "",
      "If FILE holds a whole schedule, NAME and the options replace what it says.",
      "",
      "Examples:",
      "  perdure schedule add nightly --at 02:00 --zone Europe/Paris import.json",
      "  perdure schedule add sync --every 5m --overlap queue sync.json",
      "  echo '{\"kind\": \"book\"}' | perdure schedule add book --cron '0 8 * * 1-5' -"
    })
final class ScheduleAddCommand implements Callable<Integer> {

  @Parameters(index = "0", paramLabel = "NAME", description = "A name for the schedule.")
  private String name = "";

  @Parameters(index = "1", paramLabel = "FILE", description = ScheduleCommand.FILE_DESCRIPTION)
  private String file = "";

  @Mixin private TriggerOptions trigger = new TriggerOptions();

  @Mixin private ScheduleOptions options = new ScheduleOptions();

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  ScheduleAddCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    ObjectNode body = body();
    try (PerdureClient client = server.client(context)) {
      ScheduleCommand.printChanged(context, output, client.send("POST", "/schedule", body));
    }
    return Perdure.EXIT_OK;
  }

  private ObjectNode body() {
    OptionParser parser = new OptionParser();
    trigger.check(parser);
    parser.throwIfInvalid();
    ObjectNode body = ScheduleFile.read(context, file).put("name", name);
    if (trigger.isGiven() || !body.has("trigger")) {
      ObjectNode changed = trigger.applyTo(body.path("trigger"));
      if (!TriggerOptions.isComplete(changed)) {
        throw new UsageException("--cron", TriggerOptions.MISSING + ", or a FILE with a trigger");
      }
      body.set("trigger", changed);
    }
    options.addTo(body);
    return body;
  }
}
