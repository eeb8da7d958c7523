// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.KindLimitText;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.KindLimitInfo;
import dev.perdure.client.KindLimitInfo.StartRate;
import dev.perdure.client.PerdureClient;
import dev.perdure.policy.DurationText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Sets the limits of a kind. */
@Command(
    name = "set",
    description = "Set the limits of a kind; they replace all that it has.",
    footer = {
      "",
      "They hold on all nodes when the command ends. Tasks that run already count, and finish even"
          + " if they are more than the limits allow.",
      "",
      "Examples:",
      "  perdure limit set sync --max 10",
      "  perdure limit set sync --max 2 --per tenant",
      "  perdure limit set mail --max 20 --rate 5/1s --burst 3"
    })
final class LimitSetCommand implements Callable<Integer> {

  private static final int MAX = 1_000_000_000;

  @Parameters(paramLabel = "KIND", description = LimitCommand.KIND_DESCRIPTION)
  private String kind = "";

  @Option(names = "--max", paramLabel = "N", description = "At most N tasks at a time.")
  private @Nullable String max;

  @Option(
      names = "--rate",
      paramLabel = "N/TIME",
      description = "At most N starts in this time, evenly spread, such as 5/1s.")
  private @Nullable String rate;

  @Option(
      names = "--burst",
      paramLabel = "N",
      description = "Let N starts of a rate come at once after a quiet time (1).")
  private @Nullable String burst;

  @Option(
      names = "--per",
      paramLabel = "FIELD",
      description = "Count tasks apart by this metadata field; may be repeated.")
  private List<String> fields = new ArrayList<>();

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  LimitSetCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    ObjectNode body = body();
    try (PerdureClient client = server.client(context)) {
      ApiResponse response = client.send("PUT", LimitCommand.path(kind), body);
      if (output.json) {
        context.out().println(response.json());
      } else {
        KindLimitText.set(output.writer(context), response.read(KindLimitInfo::of));
      }
    }
    return Perdure.EXIT_OK;
  }

  private ObjectNode body() {
    OptionParser parser = new OptionParser();
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    if (max != null) {
      body.put("max_concurrency", parser.count("--max", max, 1, 1, MAX));
    }
    StartRate starts = parser.rate("--rate", rate, MAX);
    int atOnce = parser.count("--burst", burst, 1, 1, MAX);
    if (rate == null && burst != null) {
      parser.addError("--burst", "belongs to a rate: give --rate too");
    }
    if (max == null && rate == null) {
      parser.addError("--max", "give --max, --rate, or both (limit rm removes limits)");
    }
    parser.throwIfInvalid();
    if (starts != null) {
      body.putObject("rate")
          .put("max_starts", starts.maxStarts())
          .put("per", DurationText.format(starts.per()))
          .put("burst", atOnce);
    }
    fields.forEach(body.putArray("fields")::add);
    return body;
  }
}
