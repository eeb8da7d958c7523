// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;

/** Compares firing times in UTC with the library cron-utils. */
class CronUtilsComparisonTest {

  private static final int EXPRESSIONS = 1_000;
  private static final int FIRINGS = 4;
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");

  private final CronParser parser =
      new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

  @Test
  void both_agree_on_random_expressions() {
    RandomCron random = new RandomCron(7);
    int compared = 0;
    while (compared < EXPRESSIONS) {
      String cron = random.next();
      Instant from = START.plusSeconds(random.below(4 * 365 * 86_400));
      if (meansTheSameToBoth(cron)) {
        compare(cron, from);
        compared++;
      }
    }
  }

  /** To cron-utils a step from {@code *} restricts a day; to Vixie cron and to us it does not. */
  private static boolean meansTheSameToBoth(String cron) {
    String[] fields = cron.split(" ", -1);
    boolean step = fields[2].startsWith("*/") || fields[4].startsWith("*/");
    return !step || fields[2].equals("*") || fields[4].equals("*");
  }

  private void compare(String cron, Instant from) {
    ExecutionTime theirs = ExecutionTime.forCron(parser.parse(cron));
    FiringTimes ours = Trigger.cron(cron, ZoneOffset.UTC).firingTimes(Instant.MIN);
    Instant at = from;
    for (int i = 0; i < FIRINGS; i++) {
      ZonedDateTime expected = theirs.nextExecution(at.atZone(ZoneOffset.UTC)).orElseThrow();
      Instant next = ours.next(at);
      assertThat(next).as("%s after %s", cron, at).isEqualTo(expected.toInstant());
      at = next;
    }
  }
}
