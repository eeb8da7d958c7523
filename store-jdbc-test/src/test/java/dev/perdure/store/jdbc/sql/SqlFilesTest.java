// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

/** Rules that every SQL statement of both dialects must follow. */
final class SqlFilesTest {

  private static final Pattern UPDATE = Pattern.compile("(?<!FOR )\\bUPDATE\\b");
  private static final Pattern WRITES_STATE =
      Pattern.compile("\\bSET\\b((?!\\bWHERE\\b).)*?(?<![a-z_.])state = ", Pattern.DOTALL);
  private static final Pattern FROM_STATE =
      Pattern.compile("\\bWHERE\\b.*(?<![a-z_])state (=|IN) ", Pattern.DOTALL);
  private static final Pattern FROM_EPOCH =
      Pattern.compile("\\bWHERE\\b.*(?<![a-z_])epoch = ", Pattern.DOTALL);
  private static final Pattern UNLEASED =
      Pattern.compile(
          "\\bWHERE\\b.*state (IN \\(('pending', 'retry_pending'|'sent', 'dead')\\)"
              + "|NOT IN \\('claimed', 'running'\\))",
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
  void lists_do_not_read_payloads_actions_or_results(String dialect) {
    List<SqlStatement> lists =
        SqlStatements.load(dialect).statements().stream()
            .filter(
                statement ->
                    statement
                        .name()
                        .matches(
                            "(list|count)(_(batch|held|live|oldest|oldest_batch|oldest_held|retries|ended))?"))
            .filter(statement -> statement.text().contains("perdure_task_view"))
            .toList();
    assertThat(lists).hasSize(14);
    assertThat(lists)
        .allSatisfy(
            statement ->
                assertThat(statement.text()).doesNotContain("payload", "actions", "result"));
  }

  @ParameterizedTest
  @MethodSource("dialects")
  void every_write_of_a_state_names_the_state_it_comes_from(String dialect) {
    List<String> writers =
        SqlStatements.load(dialect).statements().stream()
            .flatMap(statement -> updates(statement.text()).stream())
            .filter(update -> WRITES_STATE.matcher(update).find())
            .toList();
    assertThat(writers).hasSize(6);
    for (String update : writers) {
      assertThat(update).containsPattern(FROM_STATE);
      // A task or delivery that is not leased has no epoch that could be stale.
      boolean guarded = FROM_EPOCH.matcher(update).find() || UNLEASED.matcher(update).find();
      assertThat(guarded).as("names the epoch it comes from: " + update).isTrue();
    }
  }

  @Test
  void only_claim_apply_propagate_settle_and_redeliver_write_states() {
    assertThat(SqlStatements.load("postgres").statements())
        .filteredOn(
            statement -> updates(statement.text()).stream().anyMatch(WRITES_STATE.asPredicate()))
        .extracting(SqlStatement::name)
        .containsExactly("take", "take_limited", "apply", "propagate", "settle", "redeliver");
  }

  /**
   * Returns each UPDATE on its own, up to its end or its RETURNING, because conditions of other
   * clauses do not guard it.
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
            statement ->
                assertThat(statement.text()).doesNotContainPattern("(?i)SELECT\\s+(\\w+\\.)?\\*"));
  }

  @ParameterizedTest
  @MethodSource("dialects")
  void each_name_has_a_single_statement(String dialect) {
    assertThat(SqlStatements.load(dialect).statements())
        .allSatisfy(statement -> assertThat(statement.text()).doesNotContain(";"));
  }

  @ParameterizedTest
  @MethodSource("dialects")
  void every_script_of_the_folder_is_a_migration(String dialect) throws IOException {
    Path folder =
        Path.of("../store-jdbc/src/main/resources/dev/perdure/store/jdbc/migration-" + dialect);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              Migrations.NAMES.stream().map(name -> name + ".sql").toList());
    }
  }

  @Test
  void every_statement_about_tasks_names_its_shard() {
    assertThat(SqlStatements.load("postgres").statements())
        .filteredOn(statement -> statement.text().toLowerCase(Locale.ROOT).contains("task"))
        .isNotEmpty()
        .allSatisfy(
            statement -> assertThat(statement.parameters()).as(statement.name()).contains("shard"));
  }

  @Test
  void every_occurrence_of_a_parameter_becomes_a_question_mark() {
    SqlStatement statement =
        SqlStatement.of(
            "x", "\n-- why: not\nSELECT ':no', a::text WHERE b = :b AND c = :c OR d = :b;\n");

    assertThat(statement.text()).isEqualTo("SELECT ':no', a::text WHERE b = ? AND c = ? OR d = ?");
    assertThat(statement.parameters()).containsExactly("b", "c", "b");
  }

  @Test
  void a_part_replaces_every_insert_line() {
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
    "'-- name: a\nSELECT\n-- insert: b\n', a inserts an unknown part: b",
    "'-- part: b\nx\n-- name: a\nSELECT 1;\n', no statement inserts the parts [b]",
    "'-- name: a\nSELECT 1;\n-- name: a\nSELECT 2;\n', duplicate name: a",
  })
  void an_inconsistent_file_is_rejected(String file, String message) {
    assertThatThrownBy(() -> SqlFile.statements(file)).hasMessage(message);
  }

  @Test
  void a_name_without_a_statement_cannot_be_prepared() {
    SqlStatements postgres = SqlStatements.load("postgres");

    assertThat(postgres.names()).contains("attempt.insert");
    assertThatThrownBy(() -> postgres.get("attempt.insert")).hasMessageContaining("attempt.insert");
    assertThatThrownBy(() -> postgres.get("task.nothing")).hasMessageContaining("task.nothing");
  }
}
