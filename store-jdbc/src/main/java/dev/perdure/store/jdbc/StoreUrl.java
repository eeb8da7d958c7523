// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Where a database is.
 *
 * @param jdbc as the driver wants it, without user and password where they were told apart
 */
record StoreUrl(Dialect dialect, String jdbc, @Nullable String user, @Nullable String password) {

  private static final String JDBC = "jdbc:";
  private static final String SQLITE = "sqlite:";
  private static final String EXPECTED =
      "expected sqlite:<file>, postgres://<user>:<password>@<host>:<port>/<database>, or a jdbc:"
          + " URL of SQLite or PostgreSQL";

  static StoreUrl parse(String url) {
    if (url.startsWith(JDBC)) {
      return new StoreUrl(dialect(url), url, null, null);
    }
    if (url.startsWith(SQLITE)) {
      String file = url.substring(SQLITE.length());
      if (file.isBlank()) {
        throw new IllegalArgumentException("the store's URL names no file: sqlite:<file>");
      }
      return new StoreUrl(Dialect.SQLITE, JDBC + url, null, null);
    }
    if (url.startsWith("postgres://") || url.startsWith("postgresql://")) {
      return postgres(url);
    }
    throw new IllegalArgumentException("the store's URL has an unknown beginning, " + EXPECTED);
  }

  private static Dialect dialect(String jdbc) {
    if (jdbc.startsWith("jdbc:sqlite:")) {
      return Dialect.SQLITE;
    }
    if (jdbc.startsWith("jdbc:postgresql:")) {
      return Dialect.POSTGRES;
    }
    throw new IllegalArgumentException(
        "the store's URL is of a database that is not supported, " + EXPECTED);
  }

  private static StoreUrl postgres(String url) {
    URI uri = uri(url);
    if (uri.getHost() == null) {
      throw new IllegalArgumentException(
          "the store's URL names no host; a character such as @ or / in the password is written"
              + " %40 or %2F");
    }
    String path = uri.getRawPath();
    if (path == null || path.length() < 2) {
      throw new IllegalArgumentException(
          "the store's URL names no database: postgres://" + uri.getHost() + "/<database>");
    }
    String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    String[] who =
        uri.getRawUserInfo() == null ? new String[0] : uri.getRawUserInfo().split(":", 2);
    return new StoreUrl(
        Dialect.POSTGRES,
        "jdbc:postgresql://" + uri.getHost() + port + path + query,
        who.length > 0 ? decoded(who[0]) : null,
        who.length > 1 ? decoded(who[1]) : null);
  }

  private static URI uri(String url) {
    try {
      return new URI(url);
    } catch (URISyntaxException e) {
      // The exception itself would show the password.
      throw new IllegalArgumentException(
          "the store's URL cannot be read at character " + e.getIndex() + ": " + e.getReason());
    }
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /** Without the password. */
  @Override
  public String toString() {
    return jdbc;
  }
}
