// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.ConfigurationText;
import dev.perdure.server.config.Configuration;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows the effective configuration. */
@Command(
    name = "config",
    description = "Show every effective setting and where it comes from.",
    footer = {"", "Example:", "  perdure config --port 9000 --json"})
final class ConfigCommand implements Callable<Integer> {

  @Mixin private OutputOptions output = new OutputOptions();

  private final SettingOptions settings = new SettingOptions();
  private final CliContext context;

  private ConfigCommand(CliContext context) {
    this.context = context;
  }

  static CommandLine create(CliContext context) {
    ConfigCommand command = new ConfigCommand(context);
    return command.settings.addTo(command);
  }

  @Override
  public Integer call() {
    Configuration configuration = settings.configuration(context);
    if (output.json) {
      context.out().println(CliJson.configuration(configuration));
    } else {
      ConfigurationText.print(output.writer(context), configuration);
    }
    return Perdure.EXIT_OK;
  }
}
