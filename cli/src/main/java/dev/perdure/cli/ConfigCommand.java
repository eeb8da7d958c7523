// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.ConfigurationText;
import dev.perdure.server.config.Configuration;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows the settings in force. */
@Command(
    name = "config",
    description = "Shows every setting in force, and where it came from.",
    footer = {"", "Example:", "  perdure config --port 9000 --json"})
final class ConfigCommand implements Callable<Integer> {

  @Mixin private OutputOptions output = new OutputOptions();

  private final SettingOptions settings = new SettingOptions();
  private final CliContext cliContext;

  private ConfigCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  static CommandLine create(CliContext cliContext) {
    ConfigCommand command = new ConfigCommand(cliContext);
    return command.settings.addTo(command);
  }

  @Override
  public Integer call() {
    Configuration configuration = settings.configuration(cliContext);
    if (output.json) {
      cliContext.out().println(CliJson.configuration(configuration));
    } else {
      ConfigurationText.print(output.writer(cliContext), configuration);
    }
    return Perdure.EXIT_OK;
  }
}
