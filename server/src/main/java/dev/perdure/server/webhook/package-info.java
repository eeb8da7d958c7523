// SPDX-License-Identifier: Apache-2.0
/** Webhooks: the call that runs a task, and the calls that report its end. */
@NullMarked
package dev.perdure.server.webhook;

import org.jspecify.annotations.NullMarked;
