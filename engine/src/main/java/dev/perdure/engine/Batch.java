// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.spi.Submission;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that are submitted together, all or none. Immutable: each method returns a copy.
 *
 * <pre>{@code
 * engine.submit(
 *     Batch.of(
 *             NewTask.of("import", file).id("import"),
 *             NewTask.of("report", month).after("import"))
 *         .name("May"));
 * }</pre>
 */
public final class Batch {

  /** Maximum size of the context, in bytes of JSON in UTF-8. */
  public static final int MAX_CONTEXT_BYTES = 64 * 1024;

  final List<NewTask> tasks;
  @Nullable String name;
  @Nullable Object context;
  @Nullable String shardKey;

  private Batch(List<NewTask> tasks) {
    if (tasks.isEmpty() || tasks.size() > Submission.MAX_TASKS) {
      throw new IllegalArgumentException(
          "tasks: must be 1 to " + Submission.MAX_TASKS + ", not " + tasks.size());
    }
    this.tasks = List.copyOf(tasks);
  }

  private Batch(Batch other) {
    this(other.tasks);
    name = other.name;
    context = other.context;
    shardKey = other.shardKey;
  }

  public static Batch of(NewTask... tasks) {
    return of(List.of(tasks));
  }

  public static Batch of(List<NewTask> tasks) {
    return new Batch(tasks);
  }

  /** A name to show. */
  public Batch name(String value) {
    NewTask.requireText("name", value, NewTask.MAX_NAME_CHARACTERS);
    Batch copy = new Batch(this);
    copy.name = value;
    return copy;
  }

  /** Something that all tasks can read; anything that Jackson can write as JSON. */
  public Batch context(Object value) {
    Batch copy = new Batch(this);
    copy.context = requireNonNull(value, "context");
    return copy;
  }

  /**
   * Puts all batches with the same key into the same shard, so that their tasks can depend on each
   * other. Needed only on a store with several shards.
   */
  public Batch shardKey(String value) {
    NewTask.requireText("shardKey", value, NewTask.MAX_NAME_CHARACTERS);
    Batch copy = new Batch(this);
    copy.shardKey = value;
    return copy;
  }
}
