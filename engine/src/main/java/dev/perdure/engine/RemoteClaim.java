// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.ClaimRequest.QueueCapacity;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.policy.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A claim of a remote worker. Errors name the field.
 *
 * @param worker its name to show; two workers may have the same name
 * @param kinds the kinds that it can run
 * @param limit the most tasks to claim
 * @param lease how long it may go without a heartbeat
 * @param maxWait how long to wait while there are no tasks; 0 means not at all
 */
public record RemoteClaim(
    String worker, List<String> kinds, int limit, Duration lease, Duration maxWait) {

  public static final int MAX_TASKS = 1_000;
  public static final int MAX_KINDS = 100;
  public static final int MAX_WORKER_CHARACTERS = 255;
  public static final Duration DEFAULT_LEASE = Duration.ofSeconds(60);
  public static final Duration MIN_LEASE = Duration.ofSeconds(1);
  public static final Duration MAX_LEASE = Duration.ofDays(1);
  public static final Duration MAX_WAIT = Duration.ofSeconds(60);

  private static final Pattern ID = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-.*");

  public RemoteClaim {
    for (int i = 0; i < kinds.size(); i++) {
      NewTask.requireKind("kinds[" + i + "]", kinds.get(i));
    }
    kinds = kinds.stream().distinct().sorted().toList();
    require(
        isName(worker),
        "worker: must have 1 to " + MAX_WORKER_CHARACTERS + " characters, all of them printable");
    // A node treats every lease under its own id as its own, and hands it back.
    require(!ID.matcher(worker).matches(), "worker: must be a name, not an id");
    require(
        !kinds.isEmpty() && kinds.size() <= MAX_KINDS,
        "kinds: must be 1 to " + MAX_KINDS + ", not " + kinds.size());
    require(
        kinds.stream().noneMatch(kind -> kind.startsWith(NewTask.QUEUE_PREFIX)),
        "kinds: must not begin with '"
            + NewTask.QUEUE_PREFIX
            + "', which is not for remote workers");
    require(
        limit >= 1 && limit <= MAX_TASKS, "limit: must be 1 to " + MAX_TASKS + ", not " + limit);
    requireLease(lease);
    require(
        !maxWait.isNegative() && maxWait.compareTo(MAX_WAIT) <= 0,
        "wait: must be 0s to 1m, not " + DurationText.format(maxWait));
  }

  static void requireLease(Duration lease) {
    require(
        lease.compareTo(MIN_LEASE) >= 0 && lease.compareTo(MAX_LEASE) <= 0,
        "lease: must be 1s to 1d, not " + DurationText.format(lease));
  }

  private static boolean isName(String worker) {
    return !worker.isBlank()
        && worker.length() <= MAX_WORKER_CHARACTERS
        && worker.chars().noneMatch(Character::isISOControl);
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }

  /** The store's claim for this many tasks. */
  ClaimRequest toClaimRequest(int count) {
    List<QueueCapacity> capacities =
        kinds.stream().map(kind -> new QueueCapacity(kind, count)).toList();
    return new ClaimRequest(new LeaseOwner.RemoteOwner(worker, lease), capacities, count, true);
  }
}
