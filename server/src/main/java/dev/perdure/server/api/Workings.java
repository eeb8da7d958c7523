// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Engine;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.server.webhook.Webhooks;

/** What the routes set in motion. */
public record Workings(Engine engine, TaskStore store, Webhooks webhooks) {}
