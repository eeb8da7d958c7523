// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.Settings;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Migrates the database, as a server does when it starts. */
@Command(
    name = "migrate",
    description = "Create the database tables or bring them up to date.",
    footer = {
      "",
      "Example:",
      "  perdure migrate --database-url postgres://perdure:secret@db/perdure"
    })
final class MigrateCommand implements Callable<Integer> {

  @Mixin private OutputOptions output = new OutputOptions();

  private final SettingOptions settings = new SettingOptions();
  private final CliContext context;

  private MigrateCommand(CliContext context) {
    this.context = context;
  }

  static CommandLine create(CliContext context) {
    MigrateCommand command = new MigrateCommand(context);
    return command.settings.addTo(command);
  }

  @Override
  public Integer call() {
    Configuration configuration = settings.configuration(context);
    KeyAdminOptions.openStore(configuration).close();
    String database = configuration.entry(Settings.DATABASE_URL).redactedText();
    if (output.json) {
      context.out().println(CliJson.migrated(database));
    } else {
      output.writer(context).paragraph("The tables in %s are up to date.".formatted(database));
    }
    return Perdure.EXIT_OK;
  }
}
