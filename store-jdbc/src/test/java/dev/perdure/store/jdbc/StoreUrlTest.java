// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A URL says where the store is; one that cannot be understood says why. */
final class StoreUrlTest {

  @Test
  void a_file_is_sqlite() {
    assertThat(StoreUrl.parse("sqlite:data/perdure.db"))
        .isEqualTo(new StoreUrl(Dialect.SQLITE, "jdbc:sqlite:data/perdure.db", null, null));
  }

  @Test
  void user_and_password_are_taken_out_of_the_url() {
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
  void a_jdbc_url_is_left_as_it_is() {
    assertThat(StoreUrl.parse("jdbc:postgresql://a,b/shop").jdbc())
        .isEqualTo("jdbc:postgresql://a,b/shop");
    assertThat(StoreUrl.parse("jdbc:sqlite:x.db").dialect()).isEqualTo(Dialect.SQLITE);
  }

  @ParameterizedTest
  @CsvSource({
    "mysql://host/db, unknown beginning",
    "jdbc:mysql://host/db, not supported",
    "sqlite:, names no file",
    "postgres://host, names no database",
    "postgres://host/, names no database",
    "postgres:///db, names no host",
    "postgres://me:a/b@host/db, names no",
    "postgres://me:secr et@host/db, cannot be read at character",
  })
  void what_is_wrong_is_named(String url, String expected) {
    assertThatThrownBy(() -> StoreUrl.parse(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(expected)
        .hasMessageNotContaining("secr");
  }

  @Test
  void a_store_is_somewhere() {
    assertThatThrownBy(() -> JdbcStore.builder().open())
        .hasMessageContaining("url or a data source");
    assertThatThrownBy(() -> JdbcStore.builder().shards(0)).hasMessageContaining("shards");
    assertThatThrownBy(() -> JdbcStore.builder().poolSize(0)).hasMessageContaining("poolSize");
  }
}
