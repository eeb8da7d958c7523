// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import dev.perdure.policy.FieldError;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.InvalidConfigurationException;
import dev.perdure.server.config.Settings;
import dev.perdure.store.jdbc.JdbcStore;
import java.sql.SQLException;
import java.util.List;

/** Opens the store, or says why it cannot be. */
public final class StoreOpener {

  private static final int MAX_CAUSES = 20;

  private StoreOpener() {}

  /**
   * Opens the configured one and brings its tables up to date.
   *
   * @throws InvalidConfigurationException when it is named wrongly
   * @throws CannotStartException when it is not to be had
   */
  public static JdbcStore open(Configuration configuration) {
    String shown = configuration.entry(Settings.DATABASE_URL).redactedText();
    try {
      return JdbcStore.open(configuration.get(Settings.DATABASE_URL));
    } catch (IllegalArgumentException e) {
      throw new InvalidConfigurationException(
          List.of(new FieldError(Settings.DATABASE_URL.name(), String.valueOf(e.getMessage()))));
    } catch (RuntimeException e) {
      throw new CannotStartException(
          Settings.DATABASE_URL.name(),
          "%s cannot be opened: %s (%s)".formatted(shown, rootMessage(e), advice(shown)),
          e);
    }
  }

  /** What the database's driver said, which is nearer to the truth than what was made of it. */
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
        ? "is its folder there, and may this user write in it?"
        : "is the database running, and are host, port, user and password right?";
  }
}
