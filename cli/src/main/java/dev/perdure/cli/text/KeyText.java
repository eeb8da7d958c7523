// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import java.time.Instant;
import java.util.List;
import java.util.StringJoiner;
import tools.jackson.databind.JsonNode;

/** Keys, told to a person. */
public final class KeyText {

  private KeyText() {}

  /** A key, the one time that it can be seen. */
  public static void created(TerminalWriter terminalWriter, JsonNode json) {
    terminalWriter.paragraph("Keep it well: it is shown this once.");
    terminalWriter.blank();
    terminalWriter.command(json.path("key").asString(""));
    terminalWriter.blank();
    terminalWriter.paragraph(
        "Callers send it as Authorization: Bearer …, the command line as PERDURE_KEY. It can be"
            + " taken back with: perdure key revoke "
            + json.path("id").asString(""),
        AnsiStyle.FAINT);
  }

  public static void list(TerminalWriter terminalWriter, JsonNode json, Instant now) {
    List<JsonView> keys = JsonView.all(json);
    if (keys.isEmpty()) {
      terminalWriter.paragraph("No keys: whoever reaches the server may do everything.");
      return;
    }
    new FittedTable<JsonView>()
        .left("id", key -> key.piece("id"))
        .text("name", key -> key.piece("name"))
        .left("roles", key -> StyledText.of(roles(key)))
        .left("state", key -> state(key, now))
        .left("last used", key -> StyledText.of(when(key, "last_used_at", "never", now)))
        .left("created", key -> StyledText.of(when(key, "created_at", "", now)))
        .print(terminalWriter, keys);
  }

  public static void revoked(TerminalWriter terminalWriter, JsonNode json) {
    JsonView key = new JsonView(json);
    terminalWriter.line(
        StyledText.of("key %s (%s) is revoked".formatted(key.text("id"), key.text("name"))));
  }

  private static String roles(JsonView key) {
    StringJoiner roles = new StringJoiner(", ");
    key.json().path("roles").forEach(role -> roles.add(role.asString("")));
    return roles.toString();
  }

  private static StyledText state(JsonView key, Instant now) {
    if (key.has("revoked_at")) {
      return StyledText.of("revoked " + when(key, "revoked_at", "", now), AnsiStyle.FAINT);
    }
    if (!key.json().path("live").asBoolean(false)) {
      return StyledText.of("expired " + when(key, "expires_at", "", now), AnsiStyle.FAINT);
    }
    String until = key.has("expires_at") ? ", expires " + when(key, "expires_at", "", now) : "";
    return StyledText.of("live" + until, AnsiStyle.GOOD);
  }

  private static String when(JsonView key, String field, String otherwise, Instant now) {
    Instant at = key.instant(field);
    return at == null ? otherwise : RelativeTime.of(at, now);
  }
}
