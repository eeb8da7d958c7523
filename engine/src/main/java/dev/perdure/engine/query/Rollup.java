// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import java.time.Instant;
import java.util.UUID;

/**
 * What one node did in one minute, ten minutes or hour. Only the node that created it writes it.
 *
 * @param at the start, by the database's clock
 * @param node an id that is new at each start of a process, so that a restart does not overwrite
 *     what the process counted before
 */
public record Rollup(RollupStep step, Instant at, UUID node, RollupCounts counts) {}
