// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

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
  public static final int MAX_TASKS_SEARCHED = 1_000;

  private static final Pattern PATTERN = Pattern.compile("(?i)[0-9a-f-]{4,35}");

  private ShortId() {}

  /** Whether it can be one; a whole id is none. */
  public static boolean matches(String text) {
    return PATTERN.matcher(text).matches();
  }

  /** The ids among the newest that end in it. */
  public static List<String> find(PerdureClient perdureClient, String letters) {
    String end = letters.toLowerCase(Locale.ROOT);
    List<String> found = new ArrayList<>();
    Map<String, @Nullable String> query = new HashMap<>();
    int seen = 0;
    boolean more = true;
    while (more && seen < MAX_TASKS_SEARCHED) {
      ApiResponse apiResponse = perdureClient.get("/task", query);
      for (JsonNode task : apiResponse.json()) {
        seen++;
        String id = task.path("id").asString();
        if (id.endsWith(end)) {
          found.add(id);
        }
      }
      query.put("after", apiResponse.nextCursor().orElse(null));
      more = query.get("after") != null && !apiResponse.json().isEmpty();
    }
    return found;
  }
}
