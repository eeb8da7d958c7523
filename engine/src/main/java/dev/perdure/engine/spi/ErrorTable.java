// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.task.Attempt;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a store reads for {@link ErrorCounter}. */
public interface ErrorTable<X extends Exception> {

  /** A combination of an error and a kind among the failed tasks, and the last of these tasks. */
  record ErrorPair(String error, String kind, Instant lastAt, UUID newest) {}

  /**
   * Tasks of one error, kind, reason and part of the time.
   *
   * @param failureKind only without an error
   * @param bucket the part of the time, from 0
   * @param sample one of these tasks; null when {@link ErrorPair} has it
   */
  record ErrorCount(
      @Nullable String error,
      String kind,
      @Nullable String failureKind,
      @Nullable String giveUpReason,
      int bucket,
      long tasks,
      Instant firstAt,
      Instant lastAt,
      @Nullable UUID sample) {}

  /** Where each part of the time begins; the first of them is where the time begins. */
  record ErrorTimes(List<Instant> starts) {

    public ErrorTimes {
      starts = List.copyOf(starts);
    }

    public Instant from() {
      return starts.getFirst();
    }

    public long stepMillis() {
      return starts.get(1).toEpochMilli() - from().toEpochMilli();
    }
  }

  /** The first combinations of the shard, by error and kind. */
  List<ErrorPair> pairs(int shard, int limit) throws X;

  /** Counts the newest failed tasks of each of these combinations. */
  List<ErrorCount> counts(int shard, List<ErrorPair> pairs, ErrorTimes times, int limit) throws X;

  /** Counts failed tasks without an error. */
  List<ErrorCount> withoutError(int shard, ErrorTimes times, int limit) throws X;

  /** Counts the waiting retries that are due next. */
  List<ErrorCount> retries(int shard, ErrorTimes times, int limit) throws X;

  /** The last attempts of these tasks of one shard, without stack traces and results. */
  List<Attempt> lastAttempts(int shard, List<UUID> tasks) throws X;
}
