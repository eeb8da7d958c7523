// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.NumberFormatting;
import dev.perdure.server.StoreOpener;
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
    int applied = KeyAdminOptions.orUsageError(() -> StoreOpener.migrate(configuration));
    String database = configuration.entry(Settings.DATABASE_URL).redactedText();
    if (output.json) {
      context.out().println(CliJson.migrated(database, applied));
    } else {
      output.writer(context).paragraph(result(database, applied));
    }
    return Perdure.EXIT_OK;
  }

  private static String result(String database, int applied) {
    return applied == 0
        ? "Nothing to do: the tables in %s were already up to date.".formatted(database)
        : "Applied %s: the tables in %s are now up to date."
            .formatted(NumberFormatting.count(applied, "migration", "migrations"), database);
  }
}
