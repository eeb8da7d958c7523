// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.client.ApiResponse;
import dev.perdure.client.PerdureClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The last characters of a task's id, typed instead of the whole id. */
final class ShortId {

  /** Only the newest tasks are searched. */
  static final int MAX_TASKS_SEARCHED = 1_000;

  private static final Pattern PATTERN = Pattern.compile("(?i)[0-9a-f-]{4,35}");

  private ShortId() {}

  /** Whether the text can be a short id; a whole id is longer. */
  static boolean matches(String text) {
    return PATTERN.matcher(text).matches();
  }

  /** The ids of the newest tasks that end in these characters. */
  static List<String> find(PerdureClient client, String characters) {
    String end = characters.toLowerCase(Locale.ROOT);
    List<String> found = new ArrayList<>();
    Map<String, @Nullable String> query = new HashMap<>();
    int searched = 0;
    boolean more = true;
    while (more && searched < MAX_TASKS_SEARCHED) {
      ApiResponse page = client.get("/task", query);
      for (String id : page.page(task -> task.path("id").asString()).items()) {
        searched++;
        if (id.endsWith(end)) {
          found.add(id);
        }
      }
      query.put("after", page.nextCursor().orElse(null));
      more = query.get("after") != null && !page.json().isEmpty();
    }
    return found;
  }
}
