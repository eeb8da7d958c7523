// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import java.util.random.RandomGenerator;

/** Independent requests: the gaps between them are exponentially distributed. */
final class PoissonArrivals implements Arrivals {

  private final double meanGap;
  private final int clients;
  private final RandomGenerator random;

  private long time;
  private int client;

  PoissonArrivals(double perSecond, int clients, RandomGenerator random) {
    this.meanGap = ScenarioTimes.SECOND / perSecond;
    this.clients = clients;
    this.random = random;
    advance();
  }

  @Override
  public long time() {
    return time;
  }

  @Override
  public int client() {
    return client;
  }

  /** Uses {@code StrictMath}, so that the same seed gives the same report on every machine. */
  @Override
  public void advance() {
    time += Math.round(-StrictMath.log(1 - random.nextDouble()) * meanGap);
    client = random.nextInt(clients);
  }
}
