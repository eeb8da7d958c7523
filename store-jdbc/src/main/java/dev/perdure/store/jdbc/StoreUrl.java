// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A parsed store URL.
 *
 * @param jdbc the JDBC URL; without user and password if those are given separately
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
        throw new IllegalArgumentException(
            "the store URL has no file name, expected sqlite:<file>");
      }
      return new StoreUrl(Dialect.SQLITE, JDBC + url, null, null);
    }
    if (url.startsWith("postgres://") || url.startsWith("postgresql://")) {
      return postgres(url);
    }
    throw new IllegalArgumentException("the store URL has an unknown scheme, " + EXPECTED);
  }

  private static Dialect dialect(String jdbc) {
    if (jdbc.startsWith("jdbc:sqlite:")) {
      return Dialect.SQLITE;
    }
    if (jdbc.startsWith("jdbc:postgresql:")) {
      return Dialect.POSTGRES;
    }
    throw new IllegalArgumentException("the store URL names an unsupported database, " + EXPECTED);
  }

  private static StoreUrl postgres(String url) {
    URI uri = uri(url);
    if (uri.getHost() == null) {
      throw new IllegalArgumentException(
          "the store URL has no host; write characters such as @ or / in the password as"
              + " %40 or %2F");
    }
    String path = uri.getRawPath();
    if (path == null || path.length() < 2) {
      throw new IllegalArgumentException(
          "the store URL has no database name, expected postgres://"
              + uri.getHost()
              + "/<database>");
    }
    String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    String[] credentials =
        uri.getRawUserInfo() == null ? new String[0] : uri.getRawUserInfo().split(":", 2);
    return new StoreUrl(
        Dialect.POSTGRES,
        "jdbc:postgresql://" + uri.getHost() + port + path + query,
        credentials.length > 0 ? decode(credentials[0]) : null,
        credentials.length > 1 ? decode(credentials[1]) : null);
  }

  private static URI uri(String url) {
    try {
      return new URI(url);
    } catch (URISyntaxException e) {
      // The exception's own message contains the password.
      throw new IllegalArgumentException(
          "the store URL is invalid at character " + e.getIndex() + ": " + e.getReason());
    }
  }

  private static String decode(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /** Returns the JDBC URL, without the password. */
  @Override
  public String toString() {
    return jdbc;
  }
}
