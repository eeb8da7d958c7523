// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.store.jdbc.JdbcStore.ConnectionCounts;
import java.time.Instant;
import java.util.function.Supplier;

/** The name, version and start time of this node, and its connections to the database. */
public record NodeInfo(
    String name, String version, Instant startedAt, Supplier<ConnectionCounts> connections) {}
