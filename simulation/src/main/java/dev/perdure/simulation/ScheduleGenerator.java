// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.Batch;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.ScheduleOptions;
import dev.perdure.engine.schedule.Misfire;
import dev.perdure.engine.schedule.Overlap;
import dev.perdure.engine.schedule.Trigger;
import dev.perdure.engine.schedule.TriggerJson;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Generates random schedules, and knows when they must fire. */
final class ScheduleGenerator {

  /** Clocks are put forward an hour, back an hour, and forward half an hour. */
  private static final Map<String, Instant> CLOCK_CHANGES =
      Map.of(
          "Europe/Paris", Instant.parse("2026-03-29T01:00:00Z"),
          "America/New_York", Instant.parse("2026-11-01T06:00:00Z"),
          "Australia/Lord_Howe", Instant.parse("2026-10-03T15:30:00Z"));

  private static final List<String> ZONES = CLOCK_CHANGES.keySet().stream().sorted().toList();
  private static final List<Integer> INTERVALS = List.of(2, 3, 5, 7, 10, 15, 20, 30, 61);
  private static final Set<Integer> ALL_MINUTES =
      IntStream.range(0, 60).boxed().collect(Collectors.toSet());

  private final World world;
  private final SimulationRandom random;
  private final ZoneId zone;
  private final Map<String, InstantOracle> oracles = new HashMap<>();

  ScheduleGenerator(World world, String zone) {
    this.world = world;
    this.random = world.random;
    this.zone = ZoneId.of(zone);
  }

  static String zone(SimulationRandom random) {
    return random.pick(ZONES);
  }

  /** A little before the clocks of the zone change, in every second run. */
  static Instant start(SimulationRandom random, String zone, Instant usual) {
    return random.oneIn(2)
        ? Objects.requireNonNull(CLOCK_CHANGES.get(zone)).minus(random.seconds(20, 150))
        : usual;
  }

  InstantOracle oracle(Trigger trigger) {
    return Objects.requireNonNull(oracles.get(TriggerJson.write(trigger).toString()));
  }

  Trigger trigger() {
    return switch (random.between(0, 5)) {
      case 0 -> cron("*", null);
      case 1, 2 -> cron("%d,%d", hours());
      case 3 -> timeOfDay();
      default -> interval();
    };
  }

  private Trigger interval() {
    Duration every = Duration.ofSeconds(random.pick(INTERVALS));
    return known(Trigger.every(every), InstantOracle.every(every));
  }

  /** This hour and the next one. */
  private List<Integer> hours() {
    int hour = local().getHour();
    return List.of(hour, (hour + 1) % 24);
  }

  private LocalDateTime local() {
    return LocalDateTime.ofInstant(world.now(), zone);
  }

  private Trigger cron(String hourFormat, @Nullable List<Integer> hours) {
    String text = hours == null ? hourFormat : hourFormat.formatted(hours.toArray());
    return known(
        Trigger.cron("* " + text + " * * *", zone),
        new InstantOracle(
            Duration.ZERO, zone.getRules(), ALL_MINUTES, hours == null ? null : Set.copyOf(hours)));
  }

  /** In a few minutes, perhaps at a time that the clock skips. */
  private Trigger timeOfDay() {
    LocalTime time = local().plusMinutes(random.between(1, 4)).toLocalTime().withSecond(0);
    return known(
        Trigger.at(time.withNano(0), zone),
        new InstantOracle(
            Duration.ZERO, zone.getRules(), Set.of(time.getMinute()), Set.of(time.getHour())));
  }

  private Trigger known(Trigger trigger, InstantOracle oracle) {
    oracles.put(TriggerJson.write(trigger).toString(), oracle);
    return trigger;
  }

  Batch batch(String name) {
    NewTask task = TaskGenerator.generateForSchedule(world, name);
    return random.oneIn(4)
        ? Batch.of(task.id("first"), TaskGenerator.generateForSchedule(world, name).after("first"))
        : Batch.of(task);
  }

  ScheduleOptions options() {
    return ScheduleOptions.defaults()
        .withOverlap(random.pick(List.of(Overlap.values())))
        .withMisfire(random.pick(List.of(Misfire.values())))
        .withEnabled(!random.oneIn(8));
  }
}
