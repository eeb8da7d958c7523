// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.Settings;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Brings the tables up to date, as a server does at its start. */
@Command(
    name = "migrate",
    description = "Makes the tables, or brings them up to date, as serve does at its start.",
    footer = {
      "",
      "Example:",
      "  perdure migrate --database-url postgres://perdure:secret@db/perdure"
    })
final class MigrateCommand implements Callable<Integer> {

  @Mixin private OutputOptions output = new OutputOptions();

  private final SettingOptions settings = new SettingOptions();
  private final Shell shell;

  private MigrateCommand(Shell shell) {
    this.shell = shell;
  }

  static CommandLine create(Shell shell) {
    MigrateCommand command = new MigrateCommand(shell);
    return command.settings.on(command);
  }

  @Override
  public Integer call() {
    Configuration configuration = settings.configuration(shell);
    KeyPlace.opened(configuration).close();
    String database = configuration.entry(Settings.DATABASE_URL).shown();
    if (output.json) {
      shell.out().println(Json.migrated(database));
    } else {
      output.page(shell).paragraph("The tables in %s are up to date.".formatted(database));
    }
    return Perdure.DONE;
  }
}
