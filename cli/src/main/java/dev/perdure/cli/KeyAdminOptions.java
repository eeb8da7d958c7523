// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.server.CannotStartException;
import dev.perdure.server.StoreOpener;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.Settings;
import dev.perdure.store.jdbc.JdbcStore;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say where keys are made: by a server, or in the database itself. */
final class KeyAdminOptions {

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Option(
      names = "--database",
      paramLabel = "URL",
      arity = "0..1",
      fallbackValue = "",
      description = "Not by a server, but in this database; without URL the configured one.")
  private @Nullable String database;

  KeyAdmin open(CliContext cliContext) {
    if (database == null) {
      return new RemoteKeyAdmin(server.client(cliContext));
    }
    SettingOptions settings = new SettingOptions();
    if (!database.isEmpty()) {
      settings.assign(Settings.DATABASE_URL, database);
    }
    Configuration configuration = settings.configuration(cliContext);
    return new DatabaseKeyAdmin(
        openStore(configuration), configuration.get(Settings.AUDIT_MAX_ENTRIES));
  }

  /** Opens the configured store; what is wrong with it is wrong with the call. */
  static JdbcStore openStore(Configuration configuration) {
    try {
      return StoreOpener.open(configuration);
    } catch (CannotStartException e) {
      throw new UsageException(List.of(e.problem()));
    }
  }
}
