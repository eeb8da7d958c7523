// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The statements as they are written. */
final class SqlFilesTest {

  private static final Pattern UPDATE = Pattern.compile("(?<!FOR )\\bUPDATE\\b");
  private static final Pattern WRITES_STATE =
      Pattern.compile("\\bSET\\b((?!\\bWHERE\\b).)*?(?<![a-z_.])state = ", Pattern.DOTALL);
  private static final Pattern FROM_STATE =
      Pattern.compile("\\bWHERE\\b.*(?<![a-z_])state (=|IN) ", Pattern.DOTALL);
  private static final Pattern FROM_EPOCH =
      Pattern.compile("\\bWHERE\\b.*(?<![a-z_])epoch = ", Pattern.DOTALL);
  private static final Pattern UNHELD =
      Pattern.compile(
          "\\bWHERE\\b.*state IN \\(('pending', 'retry_pending'|'sent', 'dead')\\)",
          Pattern.DOTALL);

  static Stream<String> dialects() {
    return Stream.of("postgres", "sqlite");
  }

  @Test
  void both_dialects_have_the_same_names_in_the_same_order() {
    assertThat(SqlStatements.load("sqlite").names())
        .isEqualTo(SqlStatements.load("postgres").names());
  }

  @ParameterizedTest
  @MethodSource("dialects")
  void no_list_reads_what_may_be_large(String dialect) {
    List<SqlStatement> lists =
        SqlStatements.load(dialect).statements().stream()
            .filter(
                sqlStatement ->
                    sqlStatement
                        .name()
                        .matches("(list|count)(_(batch|oldest|oldest_batch|retries|ended))?"))
            .filter(sqlStatement -> sqlStatement.text().contains("perdure_task_view"))
            .toList();
    assertThat(lists).hasSize(9);
    assertThat(lists)
        .allSatisfy(
            sqlStatement ->
                assertThat(sqlStatement.text()).doesNotContain("payload", "actions", "result"));
  }

  @ParameterizedTest
  @MethodSource("dialects")
  void a_state_is_only_written_over_a_known_one(String dialect) {
    List<String> writers =
        SqlStatements.load(dialect).statements().stream()
            .flatMap(sqlStatement -> updates(sqlStatement.text()).stream())
            .filter(update -> WRITES_STATE.matcher(update).find())
            .toList();
    assertThat(writers).hasSize(4);
    for (String update : writers) {
      assertThat(update).containsPattern(FROM_STATE);
      // What nobody holds has no lease that could be stale.
      boolean guarded = FROM_EPOCH.matcher(update).find() || UNHELD.matcher(update).find();
      assertThat(guarded).as("names the epoch it comes from: " + update).isTrue();
    }
  }

  @Test
  void states_are_written_by_the_claim_by_changes_and_by_whoever_delivers() {
    assertThat(SqlStatements.load("postgres").statements())
        .filteredOn(
            sqlStatement ->
                updates(sqlStatement.text()).stream().anyMatch(WRITES_STATE.asPredicate()))
        .extracting(SqlStatement::name)
        .containsExactly("take", "apply", "settle", "redeliver");
  }

  /**
   * Every UPDATE alone, up to its end or to what it returns: others' conditions do not guard it.
   */
  private static List<String> updates(String text) {
    List<String> updates = new ArrayList<>();
    Matcher matcher = UPDATE.matcher(text);
    while (matcher.find()) {
      int end = matcher.start();
      for (int depth = 0; end < text.length() && depth >= 0; end++) {
        depth += text.charAt(end) == '(' ? 1 : text.charAt(end) == ')' ? -1 : 0;
      }
      String update = text.substring(matcher.start(), end);
      int returning = update.indexOf("RETURNING");
      updates.add(returning < 0 ? update : update.substring(0, returning));
    }
    return updates;
  }

  @ParameterizedTest
  @MethodSource("dialects")
  void columns_are_listed(String dialect) {
    assertThat(SqlStatements.load(dialect).statements())
        .allSatisfy(
            sqlStatement ->
                assertThat(sqlStatement.text())
                    .doesNotContainPattern("(?i)SELECT\\s+(\\w+\\.)?\\*"));
  }

  @ParameterizedTest
  @MethodSource("dialects")
  void each_statement_is_one(String dialect) {
    assertThat(SqlStatements.load(dialect).statements())
        .allSatisfy(sqlStatement -> assertThat(sqlStatement.text()).doesNotContain(";"));
  }

  @Test
  void every_statement_on_a_sharded_table_in_a_transaction_names_its_shard() {
    assertThat(SqlStatements.load("postgres").statements())
        .filteredOn(sqlStatement -> sqlStatement.text().toLowerCase(Locale.ROOT).contains("task"))
        .isNotEmpty()
        .allSatisfy(
            sqlStatement ->
                assertThat(sqlStatement.parameters()).as(sqlStatement.name()).contains("shard"));
  }

  @Test
  void a_name_becomes_a_place_wherever_it_stands() {
    SqlStatement sqlStatement =
        SqlStatement.of(
            "x", "\n-- why: not\nSELECT ':no', a::text WHERE b = :b AND c = :c OR d = :b;\n");

    assertThat(sqlStatement.text())
        .isEqualTo("SELECT ':no', a::text WHERE b = ? AND c = ? OR d = ?");
    assertThat(sqlStatement.parameters()).containsExactly("b", "c", "b");
  }

  @Test
  void a_part_stands_wherever_it_is_inserted() {
    String file =
        """
        -- part: columns
          t.id, t.name

        -- name: all
        SELECT
          -- insert: columns
        FROM task t;

        -- name: none
        -- in all
        """;

    Map<String, String> statements = SqlFile.statements(file);

    assertThat(statements).containsOnlyKeys("all", "none");
    assertThat(statements.get("all")).isEqualTo("SELECT\n  t.id, t.name\nFROM task t;\n\n");
    assertThat(statements.get("none")).isEqualTo("-- in all\n");
  }

  @ParameterizedTest
  @CsvSource({
    "'-- name: a\nSELECT\n-- insert: b\n', a inserts no part: b",
    "'-- part: b\nx\n-- name: a\nSELECT 1;\n', no statement inserts [b]",
    "'-- name: a\nSELECT 1;\n-- name: a\nSELECT 2;\n', two texts are named a",
  })
  void a_file_that_contradicts_itself_is_not_read(String file, String why) {
    assertThatThrownBy(() -> SqlFile.statements(file)).hasMessage(why);
  }

  @Test
  void a_name_without_a_statement_of_its_own_cannot_be_prepared() {
    SqlStatements postgres = SqlStatements.load("postgres");

    assertThat(postgres.names()).contains("attempt.insert");
    assertThatThrownBy(() -> postgres.get("attempt.insert")).hasMessageContaining("attempt.insert");
    assertThatThrownBy(() -> postgres.get("task.nothing")).hasMessageContaining("task.nothing");
  }
}
