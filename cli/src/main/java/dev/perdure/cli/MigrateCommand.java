// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

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
  private final CliContext cliContext;

  private MigrateCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  static CommandLine create(CliContext cliContext) {
    MigrateCommand command = new MigrateCommand(cliContext);
    return command.settings.addTo(command);
  }

  @Override
  public Integer call() {
    Configuration configuration = settings.configuration(cliContext);
    KeyAdminOptions.openStore(configuration).close();
    String database = configuration.entry(Settings.DATABASE_URL).redactedText();
    if (output.json) {
      cliContext.out().println(CliJson.migrated(database));
    } else {
      output.writer(cliContext).paragraph("The tables in %s are up to date.".formatted(database));
    }
    return Perdure.EXIT_OK;
  }
}
