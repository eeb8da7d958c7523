// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Prints API keys for people. */
public final class KeyText {

  private KeyText() {}

  /** A new key with its secret, which is shown only here. */
  public static void created(TerminalWriter writer, JsonNode key, String command) {
    writer.paragraph("Store this key now: it is shown only once.");
    writer.blank();
    writer.command(text(key, "key"));
    writer.blank();
    writer.paragraph(
        "Clients send it as Authorization: Bearer …; the command line reads it from PERDURE_KEY.",
        AnsiStyle.FAINT);
    writer.hint("Revoke it with:", "%s key revoke %s".formatted(command, text(key, "id")));
  }

  public static void list(TerminalWriter writer, JsonNode json, Instant now) {
    List<JsonNode> keys = json.valueStream().toList();
    if (keys.isEmpty()) {
      writer.paragraph("No keys: anyone who can reach the server can do everything.");
      return;
    }
    new FittedTable<JsonNode>()
        .left("id", key -> StyledText.of(text(key, "id")))
        .text("name", key -> StyledText.of(text(key, "name")))
        .left("roles", key -> StyledText.of(roles(key)))
        .left("state", key -> state(key, now))
        .left(
            "last used",
            key ->
                StyledText.of(has(key, "last_used_at") ? when(key, "last_used_at", now) : "never"))
        .left("created", key -> StyledText.of(when(key, "created_at", now)))
        .print(writer, keys);
  }

  public static void revoked(TerminalWriter writer, JsonNode key) {
    writer.line(
        StyledText.of("key %s (%s) is revoked".formatted(text(key, "id"), text(key, "name"))));
  }

  private static String roles(JsonNode key) {
    return key.path("roles")
        .valueStream()
        .map(role -> role.asString(""))
        .collect(Collectors.joining(", "));
  }

  private static StyledText state(JsonNode key, Instant now) {
    if (has(key, "revoked_at")) {
      return StyledText.of("revoked " + when(key, "revoked_at", now), AnsiStyle.FAINT);
    }
    if (!key.path("live").asBoolean(false)) {
      return StyledText.of("expired " + when(key, "expires_at", now), AnsiStyle.FAINT);
    }
    String until = has(key, "expires_at") ? ", expires " + when(key, "expires_at", now) : "";
    return StyledText.of("live" + until, AnsiStyle.GOOD);
  }

  private static boolean has(JsonNode key, String field) {
    return key.path(field).isString();
  }

  private static String text(JsonNode key, String field) {
    return key.path(field).asString("");
  }

  private static String when(JsonNode key, String field, Instant now) {
    try {
      return has(key, field) ? RelativeTime.of(Instant.parse(text(key, field)), now) : "";
    } catch (DateTimeParseException e) {
      return "";
    }
  }
}
