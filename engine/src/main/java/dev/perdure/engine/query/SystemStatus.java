// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known about the whole system at one time.
 *
 * @param now the database's clock
 * @param minutes what all nodes did, one entry for each minute of about the last hour in which a
 *     node ran, oldest first
 * @param census the live tasks; null if they were not counted
 * @param lateness how late the oldest due task was at earlier times, oldest first
 * @param wave the retries of the next hour; null if they were not counted
 * @param nodes all nodes that are alive or died lately
 * @param delays firings of the last hour that were skipped, missed or late
 */
public record SystemStatus(
    Instant now,
    List<MinuteCounts> minutes,
    @Nullable Census census,
    List<LatenessSample> lateness,
    @Nullable RetryWave wave,
    DeadLetters deadLetters,
    List<NodeDetails> nodes,
    List<ScheduleDelay> delays) {

  public SystemStatus {
    minutes = List.copyOf(minutes);
    lateness = List.copyOf(lateness);
    nodes = List.copyOf(nodes);
    delays = List.copyOf(delays);
  }

  /** What all nodes did in the minute that starts at this instant. */
  public record MinuteCounts(Instant at, RollupCounts counts) {}

  /** How long the oldest task that somebody takes had been due at this instant. */
  public record LatenessSample(Instant at, Duration oldest) {}

  /** The sum of the minutes that started within this time. */
  public RollupCounts within(Duration time) {
    RollupCounts sum = new RollupCounts();
    Instant from = now.minus(time);
    minutes.stream()
        .filter(minute -> minute.at().isAfter(from))
        .forEach(minute -> sum.add(minute.counts()));
    return sum;
  }

  /** How many nodes take tasks that are claimed under this kind or queue. */
  public long takers(String claimedAs) {
    return nodes.stream()
        .filter(node -> node.state(now) != NodeDetails.NodeState.DEAD)
        .filter(node -> node.kinds().contains(claimedAs) || asksFor(node, claimedAs))
        .count();
  }

  private static boolean asksFor(NodeDetails node, String claimedAs) {
    return node.load() != null && node.load().remoteKinds().contains(claimedAs);
  }

  /** How long the oldest due task that somebody takes has been due; zero if there is none. */
  public Duration oldestTaken() {
    return census == null
        ? Duration.ZERO
        : census.due().stream()
            .filter(due -> takers(due.claimedAs()) > 0)
            .map(due -> Duration.between(due.oldestDueAt(), now))
            .max(Duration::compareTo)
            .orElse(Duration.ZERO);
  }

  /** Attempts per minute in the last hour; null if no node ran. */
  public @Nullable Double attemptsPerMinute() {
    List<MinuteCounts> complete =
        minutes.stream()
            .filter(minute -> !minute.at().plus(RollupStep.MINUTE.length()).isAfter(now))
            .toList();
    return complete.isEmpty()
        ? null
        : complete.stream()
            .mapToLong(minute -> minute.counts().total(RollupCounter.STARTED))
            .average()
            .orElseThrow();
  }
}
