// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.perdure.policy.FieldError;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.ConfigurationFile;
import dev.perdure.server.config.ConfigurationSource;
import dev.perdure.server.config.InvalidConfigurationException;
import dev.perdure.server.config.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The setting {@code channels} in the file and in the environment. */
class ChannelsSettingTest {

  private static final List<Setting<?>> SETTINGS = List.of(ChannelSettings.CHANNELS);
  private static final String SECRET = "whsec_" + "c2VjcmV0".repeat(4);

  @TempDir private Path folder;

  private static Configuration fromEnvironment(String json, Map<String, String> variables) {
    return Configuration.of(
        SETTINGS,
        List.of(ConfigurationSource.environment(SETTINGS, Map.of("CHANNELS", json))),
        variables);
  }

  private static List<String> errors(String json) {
    InvalidConfigurationException invalid =
        catchThrowableOfType(
            InvalidConfigurationException.class, () -> fromEnvironment(json, Map.of()));
    assertThat(invalid).as("the configuration was accepted").isNotNull();
    return invalid.problems().stream().map(FieldError::toString).toList();
  }

  @Test
  void is_nested_in_the_file_and_takes_values_from_the_environment() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("perdure.yaml"),
            """
            channels:
              ops:
                type: telegram
                chat: -100123
                token: "${BOT_TOKEN}"
              dev:
                type: slack
                url: "https://hooks.slack.com/services/${SLACK_PATH}"
              hook:
                type: webhook
                url: https://example.org/alerts
                secret: "${HOOK_SECRET}"
            """);
    Configuration configuration =
        Configuration.of(
            SETTINGS,
            List.of(ConfigurationFile.read(SETTINGS, file)),
            Map.of("BOT_TOKEN", "12:aB-c", "SLACK_PATH", "T0/B0/xyz", "HOOK_SECRET", SECRET));

    Channels channels = configuration.get(ChannelSettings.CHANNELS);
    assertThat(channels.names()).containsExactly("ops", "dev", "hook");
    Channel ops = channels.find("ops").orElseThrow();
    assertThat(ops.url().host()).isEqualTo("api.telegram.org");
    assertThat(ops.url().target()).isEqualTo("/bot12:aB-c/sendMessage");
    assertThat(ops.chat()).isEqualTo("-100123");
    assertThat(channels.find("dev").orElseThrow().url().target()).isEqualTo("/services/T0/B0/xyz");
    assertThat(channels.find("hook").orElseThrow().signer()).isNotNull();
    assertThat(channels.find("other")).isEmpty();
    assertThat(channels.all().stream().map(Channel::toString).collect(Collectors.joining(" ")))
        .isEqualTo("ops (telegram) dev (slack) hook (webhook)");
  }

  @Test
  void only_names_and_types_are_shown() {
    Configuration configuration =
        fromEnvironment(
            """
            {"ops": {"type": "telegram", "chat": "@team", "token": "12:geheim"},
             "dev": {"type": "slack", "url": "https://hooks.slack.com/geheim"}}""",
            Map.of());

    assertThat(configuration.entry(ChannelSettings.CHANNELS).redactedText())
        .isEqualTo(
            """
            {"ops":{"type":"telegram","chat":"***","token":"***"},\
            "dev":{"type":"slack","url":"***"}}""");
  }

  @Test
  void there_are_none_by_default() {
    Configuration configuration = Configuration.of(SETTINGS, List.of());

    assertThat(configuration.get(ChannelSettings.CHANNELS).all()).isEmpty();
    assertThat(configuration.entry(ChannelSettings.CHANNELS).redactedText()).isEqualTo("{}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'a': {'type': 'slak', 'url': 'x'}} | CHANNELS.a.type: unknown type 'slak'; did you mean 'slack'? (telegram, slack, webhook)",
        "{'a': {'url': 'https://a.b/geheim'}} | CHANNELS.a.type: is required",
        "{'a': {'type': 'slack'}} | CHANNELS.a.url: is required",
        "{'a': {'type': 'slack', 'url': 'geheim'}} | CHANNELS.a.url: is not a URL: write it as https://example.com/path",
        "{'a': {'type': 'slack', 'url': {'geheim': 1}}} | CHANNELS.a.url: must be a text",
        "{'a': {'type': 'slack', 'url': 'https://a.b', 'token': 'geheim'}} | CHANNELS.a.token: unknown field (known fields: type, url)",
        "{'a': {'type': 'telegram', 'chat': 'geheim', 'token': '1:a'}} | CHANNELS.a.chat: must be the number of a chat, or the @name of a public one",
        "{'a': {'type': 'telegram', 'chat': 7, 'token': 'geheim x'}} | CHANNELS.a.token: must be the token that BotFather gave you, without spaces",
        "{'a': {'type': 'telegram', 'chat': 7}} | CHANNELS.a.token: is required",
        "{'a': {'type': 'telegram', 'chat': 7, 'token': '1:geheim', 'url': 'ftp://x'}} | CHANNELS.a.url: must begin with http:// or https://",
        "{'a': {'type': 'webhook', 'url': 'https://a.b', 'secret': 'geheim'}} | CHANNELS.a.secret: must be whsec_ followed by 24 to 64 random bytes in base64",
        "{'a': {'type': 'slack', 'url': '${NOPE}'}} | CHANNELS.a.url: the environment variable NOPE is not set",
        "{'a b': {'type': 'slack', 'url': 'https://a.b'}} | CHANNELS.a b: is not a channel name: use 1 to 63 letters, digits, dots, dashes and underscores, beginning with a letter or digit",
        "{'a': 'geheim'} | CHANNELS.a: must be an object, such as {\"type\": \"slack\", \"url\": \"…\"}",
        "['geheim'] | CHANNELS: must be an object with a field for each channel",
        "{'a': geheim} | CHANNELS: is not JSON, such as {\"dev\": {\"type\": \"slack\", \"url\": \"${SLACK_URL}\"}}",
      })
  void an_error_names_the_field_and_never_the_value(String json, String error) {
    assertThat(errors(json.replace('\'', '"')))
        .containsExactly(error)
        .noneMatch(text -> text.contains("geheim"));
  }
}
