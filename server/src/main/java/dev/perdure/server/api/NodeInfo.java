// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import java.time.Instant;

/** The name, version and start time of this node. */
public record NodeInfo(String name, String version, Instant startedAt) {}
