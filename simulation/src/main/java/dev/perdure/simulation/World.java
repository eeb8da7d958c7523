// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.simulation.bug.Bug;
import dev.perdure.store.testkit.ModelStore;
import java.time.Instant;

/** What all parts of one run share. */
final class World {

  final Chance chance;
  final Findings findings = new Findings();
  final Scheduler scheduler;
  final Trace trace;
  final Weather weather;
  final ModelStore database;
  final Bug bug;
  final Ledger ledger;
  final Executions executions;
  final NodeRows nodeRows;

  World(long seed, Bug bug, int linesKept) {
    this.chance = new Chance(seed);
    this.bug = bug;
    scheduler = new Scheduler(findings);
    trace = new Trace(scheduler.clock(), linesKept);
    weather = Weather.of(seed, chance);
    database = new ModelStore(scheduler.clock(), chance.pick(java.util.List.of(1, 1, 8)));
    executions = new Executions(this);
    nodeRows = new NodeRows(this);
    ledger = new Ledger(this);
  }

  Instant now() {
    return scheduler.now();
  }
}
