// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The last letters of a task's id, as people read them from a screen. */
public final class ShortId {

  /** So many of the newest tasks are looked through. */
  public static final int MOST_TASKS = 1_000;

  private static final Pattern LETTERS = Pattern.compile("(?i)[0-9a-f-]{4,35}");

  private ShortId() {}

  /** Whether it can be one; a whole id is none. */
  public static boolean is(String text) {
    return LETTERS.matcher(text).matches();
  }

  /** The ids among the newest that end in it. */
  public static List<String> find(Client client, String letters) {
    String end = letters.toLowerCase(Locale.ROOT);
    List<String> found = new ArrayList<>();
    Map<String, @Nullable String> query = new HashMap<>();
    int seen = 0;
    boolean more = true;
    while (more && seen < MOST_TASKS) {
      Answer answer = client.get("/task", query);
      for (JsonNode task : answer.json()) {
        seen++;
        String id = task.path("id").asString();
        if (id.endsWith(end)) {
          found.add(id);
        }
      }
      query.put("after", answer.next().orElse(null));
      more = query.get("after") != null && !answer.json().isEmpty();
    }
    return found;
  }
}
