// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.perdure.engine.spi.KindLimitJson;
import dev.perdure.engine.task.Limit;
import dev.perdure.policy.FieldError;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The setting {@code limits} in the file, in the environment and as a flag. */
class LimitsSettingTest {

  private static final List<Setting<?>> SETTINGS = List.of(Settings.PORT, Settings.LIMITS);

  private static ConfigurationSource file(String yaml) {
    return ConfigurationFile.parse(SETTINGS, "perdure.yaml", yaml);
  }

  private static ConfigurationSource environment(String json) {
    return ConfigurationSource.environment(SETTINGS, Map.of("LIMITS", json));
  }

  private static Configuration of(ConfigurationSource... sources) {
    return Configuration.of(SETTINGS, List.of(sources));
  }

  private static Map<String, String> read(ConfigurationSource... sources) {
    return of(sources).get(Settings.LIMITS).entrySet().stream()
        .collect(
            Collectors.toMap(
                Map.Entry::getKey, limit -> KindLimitJson.write(limit.getValue()).toString()));
  }

  private static List<String> errors(ConfigurationSource source) {
    InvalidConfigurationException invalid =
        catchThrowableOfType(InvalidConfigurationException.class, () -> of(source));
    assertThat(invalid).as("the configuration was accepted").isNotNull();
    return invalid.problems().stream().map(FieldError::toString).toList();
  }

  private static String json(Limit... limits) {
    return KindLimitJson.write(List.of(limits)).toString();
  }

  @Test
  void is_nested_in_the_file_and_json_in_the_environment() {
    ConfigurationSource yaml =
        file(
            """
            limits:
              sync: {max_concurrency: 10}
              mail: {rate: {max_starts: 5, per: 1s}, fields: [tenant]}
              7:
                max_concurency: 1
            port: 9000
            """);

    assertThat(read(yaml))
        .containsOnly(
            Map.entry("sync", json(Limit.concurrency(10))),
            Map.entry("mail", json(Limit.rate(5, Duration.ofSeconds(1)).per("tenant"))),
            Map.entry("7", json(Limit.concurrency(1))));
    String shown = of(yaml).entry(Settings.LIMITS).redactedText();
    assertThat(shown).startsWith("{\"sync\":{\"max_concurrency\":10},\"mail\":{\"rate\":");
    assertThat(read(environment(shown))).isEqualTo(read(yaml));
    assertThat(of(yaml, environment("{}")).get(Settings.LIMITS)).as("the later wins").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "limits:\n", "limits: {}\n", "limits: '{}'\n"})
  void may_be_empty(String yaml) {
    assertThat(of(file(yaml)).get(Settings.LIMITS)).isEmpty();
  }

  @Test
  void reports_all_errors_with_their_paths() {
    assertThat(
            errors(
                file(
                    """
                    limits:
                      sync: {max_concurrency: 0, max_concurrancy: 1}
                      mail: {rate: {max_starts: 5, per: 1}}
                      export: {fields: [tenant]}
                      load: 5
                      %s: {max_concurrency: 1}
                    prot: 1
                    """
                        .formatted("x".repeat(101)))))
        .satisfiesExactlyInAnyOrder(
            error -> assertThat(error).startsWith("perdure.yaml: prot: is not a setting"),
            error ->
                assertThat(error)
                    .startsWith("perdure.yaml: limits.sync.max_concurrency: must be a whole"),
            error ->
                assertThat(error)
                    .startsWith("perdure.yaml: limits.sync.max_concurrancy: unknown field"),
            error ->
                assertThat(error)
                    .startsWith("perdure.yaml: limits.mail.rate.per: 1 has no unit: write"),
            error ->
                assertThat(error)
                    .isEqualTo(
                        "perdure.yaml: limits.export: must have max_concurrency, a rate, or both"),
            error ->
                assertThat(error).isEqualTo("perdure.yaml: limits.load: must be an object, not 5"),
            error ->
                assertThat(error)
                    .contains("limits.xxx", "is not a kind: kind: must")
                    .contains("100"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "limits: [sync] | perdure.yaml: limits: must be an object, not an array",
        "limits: 5 | perdure.yaml: limits: must be an object, not 5",
        "limits: many | perdure.yaml: limits: is not JSON, such as {\"sync\":",
        "limits: &x {sync: *x} | perdure.yaml: limits: cannot be read as JSON",
        "port: {sync: 1} | perdure.yaml: port: must be a single value"
      })
  void refuses_other_values(String yaml, String error) {
    assertThat(errors(file(yaml))).singleElement().asString().startsWith(error);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\": {\"max_concurrency\": 1}, \"a\": {\"max_concurrency\": 2}}",
        "{} {}",
        "{\"a\": "
      })
  void refuses_what_is_not_json(String json) {
    assertThat(errors(environment(json)))
        .singleElement()
        .asString()
        .startsWith("LIMITS: is not JSON, such as {\"sync\": {\"max_concurrency\": 10}}: ");
  }

  @Test
  void has_at_most_200_kinds() {
    String many =
        IntStream.range(0, 201)
            .mapToObj(i -> "\"k%d\": {\"max_concurrency\": 1}".formatted(i))
            .collect(Collectors.joining(",", "{", "}"));

    assertThat(errors(environment(many)))
        .containsExactly("LIMITS: has 201 kinds, at most 200 are allowed");
  }
}
