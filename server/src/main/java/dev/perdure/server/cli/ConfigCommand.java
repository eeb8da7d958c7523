// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.server.cli.text.ConfigurationText;
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
  private final Shell shell;

  private ConfigCommand(Shell shell) {
    this.shell = shell;
  }

  static CommandLine create(Shell shell) {
    ConfigCommand command = new ConfigCommand(shell);
    return command.settings.on(command);
  }

  @Override
  public Integer call() {
    Configuration configuration = settings.configuration(shell);
    if (output.json) {
      shell.out().println(Json.configuration(configuration));
    } else {
      ConfigurationText.print(output.page(shell), configuration);
    }
    return Perdure.DONE;
  }
}
