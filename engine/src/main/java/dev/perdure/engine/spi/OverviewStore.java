// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.query.Census;
import dev.perdure.engine.query.DeadLetters;
import dev.perdure.engine.query.NodeDetails;
import dev.perdure.engine.query.NodeLoad;
import dev.perdure.engine.query.ProblemRules;
import dev.perdure.engine.query.ScheduleDelay;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** Reads what an overview of the whole system shows. Every read has a limit. */
public interface OverviewStore {

  /** How far back failed tasks and delayed firings count as recent. */
  Duration RECENT = ProblemRules.RECENT;

  /** Maximum number of nodes that are read: those alive first, then the newest. */
  int MAX_NODES = 500;

  /** Maximum number of firings that are looked at, newest first. */
  int MAX_FIRINGS = 10_000;

  /** Stores what a node reports about itself, if its row is alive. */
  void reportLoad(UUID node, NodeLoad load);

  /** The nodes that are alive or died within the last day, in the order in which they joined. */
  List<NodeDetails> nodes();

  /** Counts the live tasks. Takes up to a second with many. */
  Census census();

  DeadLetters deadLetters();

  /**
   * Firings that have not come although they are late or the schedule could not fire, and then
   * firings of the last hour, not triggered by hand, that were skipped, missed or late, newest
   * first.
   */
  List<ScheduleDelay> scheduleDelays(int limit);
}
