// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.text;

import java.time.Instant;
import java.util.List;
import java.util.StringJoiner;
import tools.jackson.databind.JsonNode;

/** Keys, told to a person. */
public final class KeyText {

  private KeyText() {}

  /** A key, the one time that it can be seen. */
  public static void created(Page page, JsonNode json) {
    page.paragraph("Keep it well: it is shown this once.");
    page.blank();
    page.command(json.path("key").asString(""));
    page.blank();
    page.paragraph(
        "Callers send it as Authorization: Bearer …, the command line as PERDURE_KEY. It can be"
            + " taken back with: perdure key revoke "
            + json.path("id").asString(""),
        Tone.FAINT);
  }

  public static void list(Page page, JsonNode json, Instant now) {
    List<Shown> keys = Shown.all(json);
    if (keys.isEmpty()) {
      page.paragraph("No keys: whoever reaches the server may do everything.");
      return;
    }
    new FittedTable<Shown>()
        .left("id", key -> key.piece("id"))
        .text("name", key -> key.piece("name"))
        .left("roles", key -> Piece.of(roles(key)))
        .left("state", key -> state(key, now))
        .left("last used", key -> Piece.of(when(key, "last_used_at", "never", now)))
        .left("created", key -> Piece.of(when(key, "created_at", "", now)))
        .print(page, keys);
  }

  public static void revoked(Page page, JsonNode json) {
    Shown key = new Shown(json);
    page.line(Piece.of("key %s (%s) is revoked".formatted(key.text("id"), key.text("name"))));
  }

  private static String roles(Shown key) {
    StringJoiner roles = new StringJoiner(", ");
    key.json().path("roles").forEach(role -> roles.add(role.asString("")));
    return roles.toString();
  }

  private static Piece state(Shown key, Instant now) {
    if (key.has("revoked_at")) {
      return Piece.of("revoked " + when(key, "revoked_at", "", now), Tone.FAINT);
    }
    if (!key.json().path("live").asBoolean(false)) {
      return Piece.of("expired " + when(key, "expires_at", "", now), Tone.FAINT);
    }
    String until = key.has("expires_at") ? ", expires " + when(key, "expires_at", "", now) : "";
    return Piece.of("live" + until, Tone.GOOD);
  }

  private static String when(Shown key, String field, String otherwise, Instant now) {
    Instant at = key.instant(field);
    return at == null ? otherwise : When.of(at, now);
  }
}
