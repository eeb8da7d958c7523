// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import dev.perdure.server.notify.Admission.LeaveOut;
import dev.perdure.server.notify.Admission.Send;
import dev.perdure.server.notify.Admission.SendSummary;
import dev.perdure.server.notify.Admission.Wait;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What was sent to a channel lately, and what may be sent next. Not thread-safe.
 *
 * <p>No minute ever has more than {@link #MAX_PER_MINUTE} messages, wherever it begins. The first
 * message beyond that waits and later becomes the summary; those after it are only counted. While a
 * summary waits, one place is kept free for it. So there is at most one summary at a time, and when
 * it cannot be delivered, it goes on counting. If its delivery was given up or is in a long
 * backoff, the next message that does not fit becomes the summary instead.
 */
final class ChannelRateLimit {

  static final int MAX_PER_MINUTE = 20;

  /** No service can silence a channel for longer than this. */
  static final Duration MAX_PAUSE = Duration.ofHours(1);

  /**
   * The distance of messages that waited for a pause. Only 15 a minute, so that new messages and
   * those that come a little early find a place too.
   */
  private static final Duration SPACING = Duration.ofSeconds(4);

  /** No message waits for longer than this after a pause, however many there are. */
  private static final Duration MAX_SPREAD = Duration.ofHours(1);

  private static final Duration MINUTE = Duration.ofMinutes(1);

  /**
   * A delivery that is due later than this has failed and is in a long backoff. More than a minute,
   * because a delay counts from when it is stored.
   */
  private static final Duration SOON = Duration.ofSeconds(90);

  private final Deque<Instant> recent = new ArrayDeque<>();
  private Instant pausedUntil = Instant.EPOCH;
  private Instant nextSlot = Instant.EPOCH;
  private @Nullable PendingSummary summary;

  /**
   * The messages that a summary will count.
   *
   * @param delivery the delivery that becomes the summary
   * @param since when the first of them was left out
   */
  record PendingSummary(UUID delivery, Instant since, Map<NotifyEvent, Long> leftOut) {

    PendingSummary {
      leftOut = Map.copyOf(leftOut);
    }

    private PendingSummary plus(NotifyEvent event, long count) {
      Map<NotifyEvent, Long> counts = new EnumMap<>(NotifyEvent.class);
      counts.putAll(leftOut);
      counts.merge(event, count, Long::sum);
      counts.values().removeIf(left -> left <= 0);
      return new PendingSummary(delivery, since, counts);
    }

    private PendingSummary carriedBy(UUID other) {
      return new PendingSummary(other, since, leftOut);
    }
  }

  /**
   * Decides about one attempt to send a delivery.
   *
   * @param dueAt tells when a delivery is due; empty when it is not sent any more
   */
  Admission admit(
      Instant now, UUID delivery, NotifyEvent event, Function<UUID, Optional<Instant>> dueAt) {
    PendingSummary carried =
        summary != null && summary.delivery().equals(delivery) ? summary : null;
    if (now.isBefore(pausedUntil)) {
      return new Wait(Duration.between(now, carried == null ? takeSlot() : pausedUntil));
    }
    forgetBefore(now.minus(MINUTE));
    if (carried != null) {
      return takePlace(now, 0) ? new SendSummary(carried) : new Wait(untilFree(now));
    }
    if (takePlace(now, summary == null ? 0 : 1)) {
      return new Send();
    }
    return leaveOut(now, delivery, event, dueAt);
  }

  /** Takes a place for a message that no summary counts, if there is one. */
  boolean admitTest(Instant now) {
    forgetBefore(now.minus(MINUTE));
    return !now.isBefore(pausedUntil) && takePlace(now, summary == null ? 0 : 1);
  }

  private Admission leaveOut(
      Instant now, UUID delivery, NotifyEvent event, Function<UUID, Optional<Instant>> dueAt) {
    PendingSummary before = summary;
    boolean carries =
        before == null
            || dueAt.apply(before.delivery()).filter(due -> due.isBefore(now.plus(SOON))).isEmpty();
    PendingSummary after =
        before == null
            ? new PendingSummary(delivery, now, Map.of())
            : carries ? before.carriedBy(delivery) : before;
    summary = after.plus(event, 1);
    return carries ? new Wait(untilFree(now)) : new LeaveOut();
  }

  private void forgetBefore(Instant limit) {
    while (!recent.isEmpty() && !recent.getFirst().isAfter(limit)) {
      recent.removeFirst();
    }
  }

  private boolean takePlace(Instant now, int kept) {
    if (recent.size() + kept >= MAX_PER_MINUTE) {
      return false;
    }
    recent.addLast(now);
    return true;
  }

  /** How long until a message can be sent; at least a millisecond, so that callers do not spin. */
  Duration untilFree(Instant now) {
    Duration wait =
        recent.isEmpty() ? MINUTE : Duration.between(now, recent.getFirst().plus(MINUTE));
    return wait.isPositive() ? wait : Duration.ofMillis(1);
  }

  /**
   * Nothing may be sent for this long, because the service asked for it when it refused a message.
   * After the pause there is room for the refused message, and for what still counts then.
   */
  void pause(Instant now, Duration length) {
    boolean begins = !now.isBefore(pausedUntil);
    pausedUntil =
        later(pausedUntil, now.plus(length.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : length));
    nextSlot = later(nextSlot, pausedUntil);
    if (begins) {
      Instant minuteBefore = pausedUntil.minus(MINUTE);
      long counted = recent.stream().filter(sent -> sent.isAfter(minuteBefore)).count();
      nextSlot = later(nextSlot, pausedUntil.plus(SPACING.multipliedBy(counted)));
    }
    nextSlot = nextSlot.plus(SPACING);
  }

  /** When a message that waits for the pause asks again. */
  private Instant takeSlot() {
    Instant last = pausedUntil.plus(MAX_SPREAD);
    Instant slot = nextSlot.isAfter(last) ? last : later(nextSlot, pausedUntil);
    nextSlot = slot.plus(SPACING);
    return slot;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  /**
   * A summary was delivered.
   *
   * @return true when it counted everything; false when more was left out meanwhile, and the same
   *     delivery has to send another summary
   */
  boolean summarySent(Instant now, PendingSummary sent) {
    if (summary == null || !summary.delivery().equals(sent.delivery())) {
      return true;
    }
    PendingSummary left = new PendingSummary(sent.delivery(), now, summary.leftOut());
    for (Map.Entry<NotifyEvent, Long> counted : sent.leftOut().entrySet()) {
      left = left.plus(counted.getKey(), -counted.getValue());
    }
    summary = left.leftOut().isEmpty() ? null : left;
    return summary == null;
  }

  /** Reads what {@link #toJson} has written; null means that nothing was sent yet. */
  static ChannelRateLimit parse(@Nullable String text) {
    ChannelRateLimit limit = new ChannelRateLimit();
    if (text == null) {
      return limit;
    }
    JsonNode json = JsonMapper.shared().readTree(text);
    json.get("recent").forEach(sent -> limit.recent.add(Instant.ofEpochMilli(sent.longValue())));
    limit.pausedUntil = Instant.ofEpochMilli(json.get("paused_until").longValue());
    limit.nextSlot = Instant.ofEpochMilli(json.path("next_slot").asLong(0));
    JsonNode summary = json.path("summary");
    if (summary.isObject()) {
      Map<NotifyEvent, Long> leftOut = new EnumMap<>(NotifyEvent.class);
      summary
          .get("left_out")
          .propertyStream()
          .forEach(
              count -> leftOut.put(NotifyEvent.of(count.getKey()), count.getValue().longValue()));
      limit.summary =
          new PendingSummary(
              UUID.fromString(summary.get("delivery").stringValue()),
              Instant.ofEpochMilli(summary.get("since").longValue()),
              leftOut);
    }
    return limit;
  }

  String toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode sent = json.putArray("recent");
    recent.forEach(instant -> sent.add(instant.toEpochMilli()));
    json.put("paused_until", pausedUntil.toEpochMilli());
    json.put("next_slot", nextSlot.toEpochMilli());
    if (summary != null) {
      ObjectNode waiting =
          json.putObject("summary")
              .put("delivery", summary.delivery().toString())
              .put("since", summary.since().toEpochMilli());
      ObjectNode counts = waiting.putObject("left_out");
      summary.leftOut().forEach((event, count) -> counts.put(event.text(), count));
    }
    return json.toString();
  }
}
