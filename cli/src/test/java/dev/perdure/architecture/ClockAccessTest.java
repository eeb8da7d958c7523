// SPDX-License-Identifier: Apache-2.0
package dev.perdure.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which classes may read a clock or create a random source. */
class ClockAccessTest {

  /** The only classes that may read a clock, create a random source, or sleep. */
  private static final String[] CLOCK_READERS = {
    "CliContext",
    "PerdureClientBuilder",
    "Eventually",
    "SystemTimeProvider",
    "RepeatableRequests",
    "SystemEnvironment",
    "InterruptibleSleep",
    "BusyRetry",
    "PostgresExecutor",
    "SubmissionBatcher",
    "PostgresNotifier",
    "SystemClockAndRandom"
  };

  private static final Set<String> CLOCK_AND_RANDOM_CALLS =
      Set.of(
          "java.time.Instant.now",
          "java.time.LocalDateTime.now",
          "java.time.LocalDate.now",
          "java.time.ZonedDateTime.now",
          "java.time.OffsetDateTime.now",
          "java.time.Clock.systemUTC",
          "java.time.Clock.systemDefaultZone",
          "java.lang.System.currentTimeMillis",
          "java.lang.System.nanoTime",
          "java.lang.Math.random",
          "java.lang.Thread.sleep",
          "java.util.UUID.randomUUID",
          "java.util.concurrent.ThreadLocalRandom.current",
          "java.util.random.RandomGenerator.getDefault");

  /** Random sources that seed themselves when they are created without a seed. */
  private static final Set<String> SELF_SEEDED =
      Set.of("java.util.Random", "java.util.SplittableRandom", "java.security.SecureRandom");

  @Test
  void other_classes_read_no_clock_and_create_no_random_source() {
    noClasses()
        .that(not(named(CLOCK_READERS)))
        .should()
        .callCodeUnitWhere(readsClockOrRandom())
        .check(ArchitectureTest.CLASSES);
  }

  private static DescribedPredicate<JavaClass> named(String... names) {
    DescribedPredicate<JavaClass> any = DescribedPredicate.alwaysFalse();
    for (String name : names) {
      any = any.or(simpleName(name));
    }
    return any;
  }

  private static DescribedPredicate<JavaCall<?>> readsClockOrRandom() {
    return DescribedPredicate.describe(
        "reads a clock, creates a random source, or sleeps",
        call -> {
          CodeUnitCallTarget target = call.getTarget();
          String owner = target.getOwner().getFullName();
          boolean withoutSeed =
              target.getName().equals("<init>") && target.getRawParameterTypes().isEmpty();
          return CLOCK_AND_RANDOM_CALLS.contains(owner + "." + target.getName())
              || (withoutSeed && SELF_SEEDED.contains(owner));
        });
  }
}
