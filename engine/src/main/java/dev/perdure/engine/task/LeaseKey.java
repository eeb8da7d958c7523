// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.UUID;

/** Identifies a lease: a task and the epoch that fences it. */
public record LeaseKey(UUID task, long epoch) {}
