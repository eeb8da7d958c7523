// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.policy.json.PolicyJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The schemas of the retry policy accept what the server accepts, in every form. */
class PolicySchemaTest {

  private static final Path VECTORS =
      Path.of("../policy-json/src/test/resources/vectors/policy.json");

  private static final OpenApi API = OpenApi.load();
  private static final JsonNode SCHEMAS = API.document().path("components").path("schemas");
  private static final JsonMapper MAPPER = JsonMapper.shared();

  private static List<String> problems(String schema, JsonNode value) {
    return SchemaValidator.problems(API, SCHEMAS.path(schema), value);
  }

  static Stream<JsonNode> vectors() throws IOException {
    return MAPPER.readTree(Files.readString(VECTORS)).findValues("policy").stream().distinct();
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void the_policies_of_the_vectors_match(JsonNode policy) {
    assertThat(problems("Policy", policy)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void their_canonical_forms_match(JsonNode policy) {
    JsonNode canonical = PolicyJson.write(PolicyJson.read(policy));
    assertThat(canonical.isNull() ? List.of() : problems("Policy", canonical)).isEmpty();
  }

  @Test
  void every_form_has_examples_that_the_server_accepts() {
    for (JsonNode form : SCHEMAS.path("Policy").path("oneOf")) {
      if (form.has("$ref")) {
        JsonNode examples = API.resolve(form).path("examples");
        assertThat(examples).as("%s", form).isNotEmpty();
        for (JsonNode example : examples) {
          assertThat(problems("Policy", example)).as("%s", example).isEmpty();
          PolicyJson.read(example);
        }
      }
    }
  }

  @Test
  void other_examples_match_their_schemas() {
    for (String schema : List.of("Duration", "Backoff", "Jitter", "Matchers", "NewTask")) {
      assertThat(SCHEMAS.path(schema).path("examples")).as(schema).isNotEmpty();
      SCHEMAS
          .path(schema)
          .path("examples")
          .forEach(example -> assertThat(problems(schema, example)).isEmpty());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"backoff\": {\"type\": \"immediate\"}, \"never_on\": []}",
        "{\"retry_strategy\": \"immediate\", \"ignore_exceptions\": []}",
      })
  void nothing_has_to_be_excluded(String text) {
    JsonNode policy = MAPPER.readTree(text);
    assertThat(problems("Policy", policy)).isEmpty();
    assertThat(rejected(policy)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"http\"",
        "[]",
        "{}",
        "{\"max_retries\": -1}",
        "{\"max_retries\": 3, \"jitter\": \"full\"}",
        "{\"max_retries\": 0, \"initial_delay_secs\": 5}",
        "{\"preset\": \"htp\"}",
        "{\"preset\": \"http\", \"max_retrys\": 3}",
        "{\"backoff\": {\"type\": \"fixed\"}}",
        "{\"backoff\": {\"type\": \"fixed\", \"delay\": 5}}",
        "{\"backoff\": {\"type\": \"immediate\"}, \"initial_delay_secs\": 5}",
        "{\"backoff\": {\"type\": \"immediate\"}, \"jitter\": \"spread\"}",
        "{\"backoff\": {\"type\": \"immediate\"}, \"overrides\": [{\"max_retries\": 1}]}",
        "{\"backoff\": {\"type\": \"immediate\"}, \"retry_on\": []}",
        "{\"backoff\": {\"type\": \"immediate\"}, \"overrides\": [{\"on\": []}]}",
        "{\"max_retries\": 3, \"retry_on\": []}",
        "{\"retry_strategy\": \"immediate\", \"retry_on\": []}",
        "{\"retry_strategy\": \"sometimes\"}",
        "{\"retry_strategy\": \"immediate\", \"strategy\": \"immediate\"}",
        "[{\"count\": 1}]",
      })
  void what_the_server_rejects_does_not_match(String text) {
    JsonNode policy = MAPPER.readTree(text);
    assertThat(problems("Policy", policy)).isNotEmpty();
    assertThat(rejected(policy)).isTrue();
  }

  private static boolean rejected(JsonNode policy) {
    try {
      PolicyJson.read(policy);
      return false;
    } catch (InvalidPolicyException e) {
      return true;
    }
  }
}
