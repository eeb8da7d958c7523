// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.server.CannotStartException;
import dev.perdure.server.StoreOpener;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.Settings;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that choose between a server and direct access to the database. */
final class KeyAdminOptions {

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Option(
      names = "--database",
      paramLabel = "URL",
      arity = "0..1",
      fallbackValue = "",
      description = "Bypass the server and use this database; by default the configured one.")
  private @Nullable String database;

  KeyAdmin open(CliContext context) {
    if (database == null) {
      return new RemoteKeyAdmin(server.client(context));
    }
    SettingOptions settings = new SettingOptions();
    if (!database.isEmpty()) {
      settings.assign(Settings.DATABASE_URL, database);
    }
    Configuration configuration = settings.configuration(context);
    return new DatabaseKeyAdmin(
        orUsageError(() -> StoreOpener.open(configuration)),
        configuration.get(Settings.AUDIT_MAX_ENTRIES));
  }

  /** Uses the database; throws a usage error when it cannot be opened. */
  static <T> T orUsageError(Supplier<T> action) {
    try {
      return action.get();
    } catch (CannotStartException e) {
      throw new UsageException(List.of(e.problem()));
    }
  }
}
