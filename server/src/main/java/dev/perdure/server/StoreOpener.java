// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import dev.perdure.engine.task.StoreException;
import dev.perdure.policy.FieldError;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.InvalidConfigurationException;
import dev.perdure.server.config.Settings;
import dev.perdure.store.jdbc.JdbcStore;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;

/** Opens the store. */
public final class StoreOpener {

  private static final int MAX_CAUSES = 20;

  private StoreOpener() {}

  /**
   * Opens the configured store and migrates its tables.
   *
   * @throws InvalidConfigurationException if its URL is invalid
   * @throws CannotStartException if it cannot be opened
   */
  public static JdbcStore open(Configuration configuration) {
    return withUrl(configuration, JdbcStore::open);
  }

  /**
   * Migrates the tables of the configured store; returns the number of migrations that were
   * applied.
   *
   * @throws InvalidConfigurationException if its URL is invalid
   * @throws CannotStartException if it cannot be opened
   */
  public static int migrate(Configuration configuration) {
    return withUrl(configuration, JdbcStore::migrate);
  }

  private static <T> T withUrl(Configuration configuration, Function<String, T> action) {
    String shown = configuration.entry(Settings.DATABASE_URL).redactedText();
    try {
      return action.apply(configuration.get(Settings.DATABASE_URL));
    } catch (IllegalArgumentException e) {
      throw new InvalidConfigurationException(
          List.of(new FieldError(Settings.DATABASE_URL.name(), String.valueOf(e.getMessage()))));
    } catch (StoreException e) {
      throw new CannotStartException(
          Settings.DATABASE_URL.name(),
          e.unavailable() ? cannotOpen(shown, e) : "%s: %s".formatted(shown, e.getMessage()),
          e);
    } catch (RuntimeException e) {
      throw new CannotStartException(Settings.DATABASE_URL.name(), cannotOpen(shown, e), e);
    }
  }

  private static String cannotOpen(String shown, RuntimeException e) {
    return "%s cannot be opened: %s (%s)".formatted(shown, rootMessage(e), advice(shown));
  }

  /** The message of the database driver, which says more than the exceptions around it. */
  private static String rootMessage(Throwable thrown) {
    Throwable cause = thrown;
    for (int i = 0; i < MAX_CAUSES && cause != null; i++) {
      if (cause instanceof SQLException) {
        return oneLine(cause);
      }
      cause = cause.getCause();
    }
    return oneLine(thrown);
  }

  private static String oneLine(Throwable thrown) {
    return String.valueOf(thrown.getMessage()).replaceAll("\\s+", " ").strip();
  }

  private static String advice(String url) {
    return url.contains("sqlite:")
        ? "does its directory exist, and may this user write to it?"
        : "is the database running, and are host, port, user and password correct?";
  }
}
