// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.server.CannotStartException;
import dev.perdure.server.StoreOpening;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.Settings;
import dev.perdure.store.jdbc.JdbcStore;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say where keys are made: by a server, or in the database itself. */
final class KeyPlace {

  @Mixin private ServerOptions server = new ServerOptions();

  @Option(
      names = "--database",
      paramLabel = "URL",
      arity = "0..1",
      fallbackValue = "",
      description = "Not by a server, but in this database; without URL the configured one.")
  private @Nullable String database;

  KeyDesk desk(Shell shell) {
    if (database == null) {
      return new ServerKeys(server.client(shell));
    }
    SettingOptions settings = new SettingOptions();
    if (!database.isEmpty()) {
      settings.remember(Settings.DATABASE_URL, database);
    }
    Configuration configuration = settings.configuration(shell);
    return new StoreKeys(opened(configuration), configuration.get(Settings.AUDIT_ENTRIES));
  }

  /** Opens the configured store; what is wrong with it is wrong with the call. */
  static JdbcStore opened(Configuration configuration) {
    try {
      return StoreOpening.open(configuration);
    } catch (CannotStartException e) {
      throw new WrongUseException(List.of(e.problem()));
    }
  }
}
