// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.simulation.bug.Surroundings;
import java.time.Instant;
import java.time.ZoneOffset;

/** What a planted bug may know of the process it was planted in. */
record Site(World world, NodeProcess process, Host host) implements Surroundings {

  @Override
  public Instant now() {
    return world.now();
  }

  @Override
  public ZoneOffset zone() {
    return host.zone();
  }

  @Override
  public void note(String what) {
    world.trace.line(process.name(), what);
  }

  @Override
  public void later(Runnable work) {
    process.run(
        () -> {
          world.scheduler.sleep(process, world.random.millis(1, 200));
          work.run();
        });
  }
}
