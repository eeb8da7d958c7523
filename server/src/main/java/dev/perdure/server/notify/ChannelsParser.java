// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import dev.perdure.policy.FieldError;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.json.JsonObjectReader;
import dev.perdure.policy.json.JsonValueReader;
import dev.perdure.server.webhook.guard.WebhookUrl;
import dev.perdure.server.webhook.sign.WebhookSigner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Parses the configured channels: a JSON object with a field for each channel. Its errors never
 * repeat a value, because any value may be a secret.
 */
final class ChannelsParser {

  private static final int MAX_CHANNELS = 100;
  private static final String TELEGRAM_URL = "https://api.telegram.org";
  private static final String HIDDEN = "***";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,62}");
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9:_-]{1,200}");
  private static final Pattern CHAT = Pattern.compile("@\\w{1,64}|-?\\d{1,20}");
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)}");

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final FieldErrors errors = new FieldErrors();
  private final Map<String, String> environment;

  private ChannelsParser(Map<String, String> environment) {
    this.environment = environment;
  }

  /** Throws InvalidPolicyException with all errors. */
  static Channels parse(String text, Map<String, String> environment) {
    return new ChannelsParser(environment).read(json(text));
  }

  /** The same text with only the names and types. */
  static String redacted(String text) {
    ObjectNode shown = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> channel : json(text).properties()) {
      ObjectNode fields = shown.putObject(channel.getKey());
      channel
          .getValue()
          .propertyStream()
          .forEach(
              field ->
                  fields.put(
                      field.getKey(),
                      field.getKey().equals("type") ? field.getValue().asString("") : HIDDEN));
    }
    return shown.toString();
  }

  private static JsonNode json(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JacksonException e) {
      // The message of the cause may quote a secret.
      throw new IllegalArgumentException(
          "is not JSON, such as {\"dev\": {\"type\": \"slack\", \"url\": \"${SLACK_URL}\"}}");
    }
  }

  private Channels read(JsonNode json) {
    if (!json.isObject() && !json.isNull()) {
      errors.add("", "must be an object with a field for each channel");
    }
    if (json.size() > MAX_CHANNELS) {
      errors.add(
          "", "has %d channels, at most %d are allowed".formatted(json.size(), MAX_CHANNELS));
    }
    List<Channel> channels = new ArrayList<>();
    for (Map.Entry<String, JsonNode> field : json.properties()) {
      String path = FieldError.sanitize(field.getKey());
      if (!NAME.matcher(field.getKey()).matches()) {
        errors.add(
            path,
            "is not a channel name: use 1 to 63 letters, digits, dots, dashes and underscores,"
                + " beginning with a letter or digit");
      }
      Channel channel = channel(field.getKey(), path, field.getValue());
      if (channel != null) {
        channels.add(channel);
      }
    }
    errors.throwIfAny();
    return new Channels(channels);
  }

  private @Nullable Channel channel(String name, String path, JsonNode json) {
    if (!json.isObject()) {
      errors.add(path, "must be an object, such as {\"type\": \"slack\", \"url\": \"…\"}");
      return null;
    }
    JsonObjectReader fields =
        Objects.requireNonNull(new JsonValueReader(path, json, errors).object());
    JsonValueReader type = fields.required("type");
    String typeName = type == null ? null : type.oneOf("type", ChannelType.NAMES);
    if (typeName == null) {
      return null;
    }
    Channel channel =
        switch (ChannelType.of(typeName)) {
          case TELEGRAM -> telegram(name, fields);
          case SLACK -> channel(name, ChannelType.SLACK, url(fields), null, null);
          case WEBHOOK ->
              channel(
                  name,
                  ChannelType.WEBHOOK,
                  url(fields),
                  null,
                  read(fields.nonNull("secret"), WebhookSigner::of));
        };
    fields.rejectUnknown();
    return channel;
  }

  private @Nullable Channel telegram(String name, JsonObjectReader fields) {
    String chat =
        read(
            fields.required("chat"),
            matching(CHAT, "must be the number of a chat, or the @name of a public one"));
    String token =
        read(
            fields.required("token"),
            matching(TOKEN, "must be the token that BotFather gave you, without spaces"));
    JsonValueReader given = fields.nonNull("url");
    String base = given == null ? TELEGRAM_URL : read(given, url -> url);
    WebhookUrl url =
        token == null || base == null
            ? null
            : parsed(
                given == null ? "" : given.path(),
                "%s/bot%s/sendMessage".formatted(base.replaceFirst("/$", ""), token),
                WebhookUrl::parse);
    return chat == null ? null : channel(name, ChannelType.TELEGRAM, url, chat, null);
  }

  private static @Nullable Channel channel(
      String name,
      ChannelType type,
      @Nullable WebhookUrl url,
      @Nullable String chat,
      @Nullable WebhookSigner signer) {
    return url == null ? null : new Channel(name, type, url, chat, signer);
  }

  private @Nullable WebhookUrl url(JsonObjectReader fields) {
    return read(fields.required("url"), WebhookUrl::parse);
  }

  private static Function<String, String> matching(Pattern pattern, String message) {
    return text -> {
      if (!pattern.matcher(text).matches()) {
        throw new IllegalArgumentException(message);
      }
      return text;
    };
  }

  private <T> @Nullable T read(@Nullable JsonValueReader value, Function<String, T> parser) {
    if (value == null) {
      return null;
    }
    JsonNode json = value.json();
    if (!json.isString() && !json.isIntegralNumber()) {
      value.addError("must be a text");
      return null;
    }
    String text = withVariables(value.path(), json.asString());
    return text == null ? null : parsed(value.path(), text, parser);
  }

  private <T> @Nullable T parsed(String path, String text, Function<String, T> parser) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      errors.add(path, String.valueOf(e.getMessage()));
      return null;
    }
  }

  /** Null when a variable is missing. */
  private @Nullable String withVariables(String path, String text) {
    Matcher variable = VARIABLE.matcher(text);
    StringBuilder replaced = new StringBuilder();
    while (variable.find()) {
      String value = environment.getOrDefault(variable.group(1), "");
      if (value.isEmpty()) {
        errors.add(path, "the environment variable %s is not set".formatted(variable.group(1)));
        return null;
      }
      variable.appendReplacement(replaced, Matcher.quoteReplacement(value));
    }
    return variable.appendTail(replaced).toString();
  }
}
