// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.task.Task;
import java.time.Instant;
import java.util.Comparator;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A place between two tasks of a list; it stays even when they are deleted. */
record Cursor(Instant createdAt, UUID id) {

  static final Comparator<Cursor> NEWEST_FIRST =
      Comparator.comparing(Cursor::createdAt).thenComparing(Cursor::id).reversed();

  private static final Cursor FRONT = new Cursor(Instant.MAX, new UUID(0, 0));

  static Cursor at(Task task) {
    return new Cursor(task.times().createdAt(), task.id());
  }

  static Cursor of(@Nullable String text) {
    if (text == null) {
      return FRONT;
    }
    String[] parts = text.split("/", -1);
    if (parts.length != 2) {
      throw new IllegalArgumentException("not the end of a page: " + text);
    }
    return new Cursor(Instant.parse(parts[0]), UUID.fromString(parts[1]));
  }

  String text() {
    return createdAt + "/" + id;
  }

  boolean isBefore(Row row) {
    return NEWEST_FIRST.compare(this, at(row.task())) < 0;
  }
}
