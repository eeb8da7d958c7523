// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.NewTask;
import dev.perdure.engine.spi.LimitKeys;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.MetadataFields;
import dev.perdure.policy.json.JsonObjectReader;
import dev.perdure.policy.json.JsonValueReader;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads which live task a new one is a duplicate of, and what becomes of that task. */
final class DedupeReader {

  private static final int MAX_MATCHERS = 10;
  private static final List<String> MODES = List.of("reject", "replace");
  private static final List<String> LIVE_STATUSES =
      Arrays.stream(DisplayStatus.values())
          .filter(status -> status.states().stream().anyMatch(state -> state.isLive()))
          .map(DisplayStatus::toString)
          .toList();

  private final JsonObjectReader fields;
  private final @Nullable String kind;

  /**
   * @param fields the fields of the task
   * @param kind null when it cannot be read
   */
  DedupeReader(JsonObjectReader fields, @Nullable String kind) {
    this.fields = fields;
    this.kind = kind;
  }

  NewTask read(NewTask task) {
    JsonValueReader key = fields.nonNull("dedupe_key");
    JsonValueReader strategy = fields.nonNull("dedupe_strategy");
    JsonValueReader mode = fields.nonNull("dedupe");
    List<JsonValueReader> matchers = strategy == null ? List.of() : strategy.array(MAX_MATCHERS);
    boolean matches = matchers == null || !matchers.isEmpty();
    if (key != null && strategy != null && matches) {
      strategy.addError("means the same as 'dedupe_key': send only one of them");
    }
    String text = key == null ? null : key.text();
    if (key == null && strategy != null && matchers != null && matches) {
      text = key(strategy, matchers);
    }
    String read = mode == null ? null : mode.oneOf("dedupe", MODES);
    if (mode != null && key == null && !matches) {
      mode.addError("needs 'dedupe_key' or 'dedupe_strategy'");
    }
    JsonValueReader source = key == null ? strategy : key;
    return text == null || source == null
        ? task
        : keyed(task, source, text, "replace".equals(read));
  }

  private static NewTask keyed(NewTask task, JsonValueReader source, String key, boolean replaces) {
    try {
      NewTask keyed = task.dedupeKey(key);
      return replaces ? keyed.replaceDuplicate() : keyed;
    } catch (IllegalArgumentException e) {
      source.addError(RejectedArgument.of(e).message());
      return task;
    }
  }

  /** Matchers that differ only in the status mean the same: a live task of any status counts. */
  private @Nullable String key(JsonValueReader strategy, List<JsonValueReader> matchers) {
    Set<String> keys = new LinkedHashSet<>();
    boolean readable = true;
    for (JsonValueReader matcher : matchers) {
      String key = key(matcher);
      readable &= key != null;
      keys.add(Objects.requireNonNullElse(key, ""));
    }
    if (readable && keys.size() > 1) {
      strategy.addError(
          "has matchers with different fields: a task has one dedupe key, so keep one of them");
      return null;
    }
    return readable ? keys.iterator().next() : null;
  }

  private @Nullable String key(JsonValueReader value) {
    JsonObjectReader matcher = value.object();
    if (matcher == null) {
      return null;
    }
    JsonValueReader ofKind = matcher.nonNull("kind");
    String name = ofKind == null ? kind : ofKind.text();
    boolean isOwn = kind == null || kind.equals(name);
    if (ofKind != null && name != null && !isOwn) {
      ofKind.addError("must be the kind of the task, '" + kind + "'");
    }
    JsonValueReader status = matcher.nonNull("status");
    boolean isLive = status == null || status.oneOf("live status", LIVE_STATUSES) != null;
    List<String> names = MetadataFields.read(matcher.nonNull("fields"));
    matcher.rejectUnknown();
    return kind == null || !isOwn || !isLive || names == null
        ? null
        : LimitKeys.of("dedupe", kind, names, metadata());
  }

  private @Nullable String metadata() {
    JsonValueReader metadata = fields.nonNull("metadata");
    return metadata == null || !metadata.json().isObject() ? null : metadata.json().toString();
  }
}
