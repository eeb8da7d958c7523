// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.notify.Admission.LeaveOut;
import dev.perdure.server.notify.Admission.Send;
import dev.perdure.server.notify.Admission.SendSummary;
import dev.perdure.server.notify.Admission.Wait;
import dev.perdure.server.notify.ChannelRateLimit.PendingSummary;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ChannelRateLimitTest {

  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private ChannelRateLimit limit = ChannelRateLimit.parse(null);
  private Instant now = START;
  private long ids;

  private UUID id() {
    return new UUID(0, ++ids);
  }

  /** Each answer comes from a limit that was stored and read again. */
  private Admission admit(UUID delivery, NotifyEvent event, @Nullable Instant carrierDueAt) {
    limit = ChannelRateLimit.parse(limit.toJson());
    return limit.admit(now, delivery, event, id -> Optional.ofNullable(carrierDueAt));
  }

  private Admission admit(UUID delivery) {
    return admit(delivery, NotifyEvent.FAILURE, now);
  }

  private void fill(int count) {
    for (int i = 0; i < count; i++) {
      assertThat(admit(id())).isEqualTo(new Send());
    }
  }

  @Test
  void after_twenty_messages_the_next_one_waits_and_the_others_are_left_out() {
    fill(20);
    now = now.plusSeconds(15);

    assertThat(admit(id())).isEqualTo(new Wait(Duration.ofSeconds(45)));
    assertThat(admit(id())).isEqualTo(new LeaveOut());
    assertThat(admit(id())).isEqualTo(new LeaveOut());
  }

  @Test
  void the_message_that_waited_becomes_the_summary_and_counts_itself() {
    fill(20);
    UUID carrier = id();
    admit(carrier);
    admit(id(), NotifyEvent.EXHAUSTED, now);
    admit(id(), NotifyEvent.FAILURE, now);
    now = START.plus(MINUTE).minusMillis(1);
    assertThat(admit(carrier)).isEqualTo(new Wait(Duration.ofMillis(1)));
    now = START.plus(MINUTE);

    PendingSummary summary =
        new PendingSummary(
            carrier, START, Map.of(NotifyEvent.FAILURE, 2L, NotifyEvent.EXHAUSTED, 1L));
    assertThat(admit(carrier)).isEqualTo(new SendSummary(summary));
    assertThat(limit.summarySent(now, summary)).isTrue();
    fill(19);
    assertThat(admit(id())).isInstanceOf(Wait.class);
  }

  @Test
  void a_place_is_kept_for_the_summary() {
    fill(20);
    UUID carrier = id();
    admit(carrier);
    now = START.plus(MINUTE);

    fill(19);
    assertThat(admit(id())).isEqualTo(new LeaveOut());
    assertThat(admit(carrier)).isInstanceOf(SendSummary.class);
  }

  @Test
  void what_is_left_out_while_a_summary_is_sent_needs_another_summary() {
    fill(20);
    UUID carrier = id();
    admit(carrier);
    now = START.plus(MINUTE);
    SendSummary first = (SendSummary) admit(carrier);
    fill(18);
    admit(id(), NotifyEvent.RETRY, now);

    assertThat(limit.summarySent(now, first.summary())).isFalse();
    now = now.plus(MINUTE);
    SendSummary second = (SendSummary) admit(carrier);
    assertThat(second.summary())
        .isEqualTo(new PendingSummary(carrier, START.plus(MINUTE), Map.of(NotifyEvent.RETRY, 1L)));
    assertThat(limit.summarySent(now, second.summary())).isTrue();
    assertThat(limit.summarySent(now, second.summary())).as("repeated").isTrue();
  }

  @Test
  void a_summary_that_cannot_be_delivered_goes_on_counting() {
    fill(20);
    UUID carrier = id();
    admit(carrier);
    for (int minute = 0; minute < 3; minute++) {
      now = now.plus(MINUTE);
      fill(19);
      assertThat(admit(carrier)).isInstanceOf(SendSummary.class);
      assertThat(admit(id())).isEqualTo(new LeaveOut());
    }
    now = now.plus(MINUTE);
    PendingSummary summary = ((SendSummary) admit(carrier)).summary();
    assertThat(summary.leftOut()).containsExactly(Map.entry(NotifyEvent.FAILURE, 4L));
    assertThat(summary.since()).isEqualTo(START);
  }

  @Test
  void another_message_takes_over_from_a_summary_that_was_given_up() {
    fill(20);
    admit(id());
    UUID other = id();

    assertThat(admit(other, NotifyEvent.FAILURE, null)).isInstanceOf(Wait.class);
    now = now.plus(MINUTE);
    PendingSummary summary = ((SendSummary) admit(other)).summary();
    assertThat(summary.leftOut()).containsExactly(Map.entry(NotifyEvent.FAILURE, 2L));
  }

  @Test
  void another_message_takes_over_from_a_summary_that_is_in_a_long_backoff() {
    fill(20);
    UUID first = id();
    admit(first);
    assertThat(admit(id(), NotifyEvent.FAILURE, now.plus(MINUTE))).isEqualTo(new LeaveOut());
    UUID other = id();

    assertThat(admit(other, NotifyEvent.FAILURE, now.plus(Duration.ofHours(26))))
        .isInstanceOf(Wait.class);
    now = now.plus(MINUTE);
    PendingSummary summary = ((SendSummary) admit(other)).summary();
    assertThat(summary.leftOut()).containsExactly(Map.entry(NotifyEvent.FAILURE, 3L));
    assertThat(limit.summarySent(now, summary)).isTrue();
    assertThat(admit(first)).as("the first is an ordinary message again").isEqualTo(new Send());
  }

  @Test
  void a_pause_holds_up_everything() {
    limit.pause(now, Duration.ofSeconds(30));
    limit.pause(now, Duration.ofSeconds(10));

    assertThat(pausedFor(id())).isGreaterThanOrEqualTo(Duration.ofSeconds(30));
    assertThat(limit.admitTest(now)).isFalse();
    now = now.plusSeconds(30);
    fill(20);
  }

  @Test
  void a_pause_ends_after_an_hour_at_most() {
    limit.pause(now, Duration.ofDays(365));

    assertThat(pausedFor(id())).isBetween(Duration.ofHours(1), Duration.ofMinutes(61));
    now = now.plus(Duration.ofHours(1));
    fill(20);
  }

  private Duration pausedFor(UUID delivery) {
    return ((Wait) admit(delivery)).delay();
  }

  @Test
  void what_waited_for_a_pause_is_sent_afterwards_and_nothing_is_left_out() {
    List<Instant> again = new ArrayList<>();
    fill(20);
    for (int refused = 0; refused < 20; refused++) {
      limit.pause(now, Duration.ofSeconds(90));
      again.add(START.plusSeconds(90));
    }
    for (int i = 0; i < 500; i++) {
      now = START.plusMillis(i);
      again.add(now.plus(pausedFor(id())));
    }
    again.sort(null);

    assertThat(again.getLast()).isBefore(START.plus(Duration.ofMinutes(40)));
    for (Instant due : again) {
      now = due;
      assertThat(admit(id())).as("%s", due).isEqualTo(new Send());
    }
  }

  @Test
  void messages_from_before_a_short_pause_take_no_places_from_those_that_waited() {
    fill(19);
    limit.pause(now, Duration.ofSeconds(5));
    List<Instant> again = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      again.add(now.plus(pausedFor(id())));
    }

    for (Instant due : again) {
      now = due;
      assertThat(admit(id())).as("%s", due).isEqualTo(new Send());
    }
  }

  @Test
  void what_waited_for_two_pauses_has_room_after_the_second() {
    limit.pause(now, Duration.ofMinutes(1));
    List<Instant> first = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      first.add(now.plus(pausedFor(id())));
    }
    now = START.plusSeconds(70);
    limit.pause(now, Duration.ofMinutes(1));
    List<Instant> again = new ArrayList<>();
    for (Instant due : first) {
      now = due;
      again.add(now.isBefore(START.plusSeconds(130)) ? now.plus(pausedFor(id())) : now);
    }
    again.sort(null);

    for (Instant due : again) {
      now = due;
      assertThat(admit(id())).as("%s", due).isEqualTo(new Send());
    }
  }

  @Test
  void no_message_waits_for_more_than_an_hour_after_the_end_of_a_pause() {
    limit.pause(now, Duration.ofSeconds(30));
    for (int i = 0; i < 2_000; i++) {
      assertThat(pausedFor(id())).isLessThanOrEqualTo(Duration.ofSeconds(30 + 3_600));
    }
    assertThat(pausedFor(id())).isEqualTo(Duration.ofSeconds(30 + 3_600));
  }

  @Test
  void a_summary_waits_only_for_the_end_of_a_pause() {
    fill(20);
    UUID carrier = id();
    admit(carrier);
    limit.pause(now, Duration.ofMinutes(10));
    pausedFor(id());

    assertThat(pausedFor(carrier)).isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void a_test_message_counts_and_leaves_room_for_the_summary() {
    fill(19);
    assertThat(limit.admitTest(now)).isTrue();
    assertThat(limit.admitTest(now)).isFalse();
    UUID carrier = id();
    admit(carrier);
    now = now.plus(MINUTE);
    fill(19);
    assertThat(limit.admitTest(now)).isFalse();
    assertThat(admit(carrier)).isInstanceOf(SendSummary.class);
  }

  @Test
  void no_minute_has_more_than_twenty_messages_and_every_message_is_sent_or_counted() {
    for (long seed = 0; seed < 50; seed++) {
      limit = ChannelRateLimit.parse(null);
      walk(new SplittableRandom(seed), "seed " + seed);
    }
  }

  private void walk(SplittableRandom random, String seed) {
    List<Instant> sent = new ArrayList<>();
    @Nullable UUID carrier = null;
    long submitted = 0;
    long arrived = 0;
    for (int step = 0; step < 500; step++) {
      now = now.plusMillis(random.nextLong(random.nextBoolean() ? 20_000 : 500));
      UUID delivery = carrier != null && random.nextInt(3) == 0 ? carrier : id();
      boolean asksAgain = delivery.equals(carrier);
      submitted += asksAgain ? 0 : 1;
      Admission answer = admit(delivery);
      if (answer instanceof Wait && !asksAgain) {
        carrier = delivery;
      } else if (answer instanceof Send) {
        sent.add(now);
        arrived++;
      } else if (answer instanceof SendSummary summary) {
        sent.add(now);
        arrived += summary.summary().leftOut().getOrDefault(NotifyEvent.FAILURE, 0L);
        carrier = limit.summarySent(now, summary.summary()) ? null : carrier;
      }
    }
    if (carrier != null) {
      now = now.plus(MINUTE);
      PendingSummary rest = ((SendSummary) admit(carrier)).summary();
      arrived += rest.leftOut().getOrDefault(NotifyEvent.FAILURE, 0L);
    }
    for (int i = 20; i < sent.size(); i++) {
      assertThat(Duration.between(sent.get(i - 20), sent.get(i)))
          .as(seed)
          .isGreaterThanOrEqualTo(MINUTE);
    }
    assertThat(arrived).as(seed).isEqualTo(submitted);
  }
}
