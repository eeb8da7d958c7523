// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parsing of store URLs, and the errors for invalid ones. */
final class StoreUrlTest {

  @Test
  void sqlite_url_names_a_file() {
    assertThat(StoreUrl.parse("sqlite:data/perdure.db"))
        .isEqualTo(new StoreUrl(Dialect.SQLITE, "jdbc:sqlite:data/perdure.db", null, null));
  }

  @Test
  void user_and_password_are_removed_from_the_url() {
    StoreUrl url = StoreUrl.parse("postgres://me:p%40ss%2Fw+rd@db.example:6432/shop?ssl=true");

    assertThat(url)
        .isEqualTo(
            new StoreUrl(
                Dialect.POSTGRES,
                "jdbc:postgresql://db.example:6432/shop?ssl=true",
                "me",
                "p@ss/w+rd"));
    assertThat(url.toString()).doesNotContain("ss/w");
  }

  @Test
  void a_jdbc_url_is_used_unchanged() {
    assertThat(StoreUrl.parse("jdbc:postgresql://a,b/shop").jdbc())
        .isEqualTo("jdbc:postgresql://a,b/shop");
    assertThat(StoreUrl.parse("jdbc:sqlite:x.db").dialect()).isEqualTo(Dialect.SQLITE);
  }

  @ParameterizedTest
  @CsvSource({
    "mysql://host/db, unknown scheme",
    "jdbc:mysql://host/db, unsupported database",
    "sqlite:, no file name",
    "postgres://host, no database name",
    "postgres://host/, no database name",
    "postgres:///db, no host",
    "postgres://me:a/b@host/db, no host",
    "postgres://me:secr et@host/db, invalid at character",
  })
  void reports_what_is_wrong_with_the_url(String url, String expected) {
    assertThatThrownBy(() -> StoreUrl.parse(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(expected)
        .hasMessageNotContaining("secr");
  }

  @Test
  void the_builder_checks_its_settings() {
    assertThatThrownBy(() -> JdbcStore.builder().open())
        .hasMessageContaining("either a url or a dataSource");
    assertThatThrownBy(() -> JdbcStore.builder().shards(0)).hasMessageContaining("shards");
    assertThatThrownBy(() -> JdbcStore.builder().poolSize(0)).hasMessageContaining("poolSize");
  }
}
