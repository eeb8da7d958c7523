// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.spi.LimitTables.LimitUpdate;
import dev.perdure.engine.task.LimitRule;
import dev.perdure.engine.task.LimitType;
import dev.perdure.testing.internal.LimitAccounting;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Forgets the starts that came before their time, so that every claim may use a whole burst. */
final class RateFromLastClaim implements LimitAccounting {

  @Override
  public @Nullable Instant nextStart(int shard, LimitUpdate update, Instant now) {
    LimitRule rule = update.limit().rule();
    if (rule.type() != LimitType.RATE || update.chosen() == 0) {
      return update.limit().nextStart();
    }
    return now.plus(requireNonNull(rule.per()).dividedBy(rule.max()));
  }
}
