// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import java.time.Instant;

/** What this node says of itself. */
public record NodeInfo(String name, String version, Instant startedAt) {}
