// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.query.LimitReader.LimitUsage;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.LimitRule;
import dev.perdure.engine.task.LimitType;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What {@link LimitedClaim} reads and writes, of one shard and in one transaction.
 *
 * @param <X> what it throws when the database fails
 */
public interface LimitTables<X extends Exception> {

  /** The queue of a limit whose tasks are claimed under several queues or kinds. */
  String ANY_QUEUE = "perdure:any";

  /**
   * A locked limit, after its events.
   *
   * @param queue the queue or kind of its tasks, or {@link #ANY_QUEUE}
   * @param used how many tasks with the limit are claimed or running
   * @param nextStart for a rate: when the next start keeps the distance to the last one; null
   *     before the first
   * @param lookAt when a claim looks at the tasks that wait for it; null when an event must come
   *     first
   */
  record LimitRow(
      String key,
      String queue,
      LimitRule rule,
      long used,
      @Nullable Instant nextStart,
      @Nullable Instant lookAt) {}

  /**
   * A due task that waits for a limit.
   *
   * @param kind its kind
   * @param queue the queue or kind that it is claimed under
   * @param claimAt its place in the order of the claims: when it is due, earlier with a priority
   * @param limits the keys of all its limits
   * @param work how many items it has to do
   */
  record WaitingTask(
      UUID id,
      String kind,
      String queue,
      Instant due,
      Instant claimAt,
      List<String> limits,
      long work) {

    public WaitingTask {
      limits = List.copyOf(limits);
    }
  }

  /**
   * A limit and the first due tasks that wait for it, in the order in which they are claimed.
   *
   * @param since how long its tasks have waited for a claim to look at them; limits are served in
   *     this order
   */
  record OpenLimit(LimitRow limit, Instant since, List<WaitingTask> first) {

    public OpenLimit {
      first = List.copyOf(first);
    }
  }

  /**
   * A locked limit of a task that waits for another one.
   *
   * @param firstWaiting the place of the first due task that waits for it; null when none does
   */
  record OtherLimit(LimitRow limit, @Nullable Instant firstWaiting) {}

  /**
   * What waits for a limit beside the tasks that the claim has started. For a limit of {@link
   * #ANY_QUEUE} these are the tasks of all queues.
   *
   * @param nextDue when the next one is due that is not due yet; null when there is none
   * @param unknown whether some may be due earlier: very many have a priority
   * @param dueLeft whether more due tasks wait than the claim has started: another transaction has
   *     locked them, or the claim does not serve their queues
   */
  record LaterTasks(@Nullable Instant nextDue, boolean unknown, boolean dueLeft) {}

  /**
   * The limits to look at, the longest waiting first.
   *
   * @param skipped whether there are more: locked by another transaction, or too many for one claim
   * @param kinds the limits of kinds
   */
  record OpenLimits(Instant now, List<OpenLimit> limits, boolean skipped, KindLimits kinds) {

    public OpenLimits {
      limits = List.copyOf(limits);
    }
  }

  /**
   * What a claim decided about a limit.
   *
   * @param limit with the number of tasks in use before the claim
   * @param chosen how many tasks with this limit the claim has chosen
   */
  record LimitUpdate(LimitRow limit, int chosen) {}

  /**
   * Locks the limits that have events or are due to be looked at, applies their events, and finds
   * the tasks that wait for them: at most {@code maxTasks} for each, and for a limit on concurrency
   * no more than it has room for, for a rate one more than may start. Tasks that another
   * transaction has locked are left out.
   */
  OpenLimits open(int maxLimits, int maxTasks) throws X;

  /** The first due tasks that wait for a limit, in the order in which they are claimed. */
  List<WaitingTask> waiting(String key, int maxTasks) throws X;

  /**
   * What else waits, by the key of the limit.
   *
   * @param limits each with the number of tasks that waited for it and that the claim has chosen
   */
  Map<String, LaterTasks> later(Map<LimitRow, Integer> limits) throws X;

  /**
   * Locks these limits; without those that another transaction has locked, and without those whose
   * rule has changed, since only {@link #open} applies events.
   *
   * @param taskByKey the keys, each with a task that has the limit: if the limit is not stored, the
   *     rules of the task say what it allows
   */
  Map<String, OtherLimit> lock(Map<String, UUID> taskByKey) throws X;

  /** How many items the claimed and running tasks of these limits still have to do. */
  Map<String, Long> work(Collection<String> keys) throws X;

  /** The metadata of those of these tasks that have any. */
  Map<UUID, String> metadata(Collection<UUID> tasks) throws X;

  /** Gives tasks that wait for a limit the limits that their kinds have now. */
  void updateLimits(Collection<UUID> tasks) throws X;

  /** Makes tasks wait for another of their limits. */
  void move(Map<UUID, String> limitByTask) throws X;

  /**
   * Claims these tasks and stores the limits, with what the claimed ones use. Claims nothing if the
   * node is dead.
   */
  List<Lease> take(List<WaitingTask> chosen, List<LimitUpdate> limits) throws X;

  /** The sum of two numbers of items that are not negative; at most the largest number. */
  static long saturatedSum(long one, long other) {
    return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
  }

  /** The same limits; those on capacity with the items of their tasks as what is in use. */
  default List<LimitUsage> withWork(List<LimitUsage> limits) throws X {
    List<String> capacities =
        limits.stream()
            .filter(limit -> limit.rule().type() == LimitType.CAPACITY)
            .map(LimitUsage::key)
            .toList();
    if (capacities.isEmpty()) {
      return limits;
    }
    Map<String, Long> work = work(capacities);
    return limits.stream()
        .map(
            limit ->
                limit.rule().type() == LimitType.CAPACITY
                    ? limit.withUsed(work.getOrDefault(limit.key(), 0L))
                    : limit)
        .toList();
  }
}
