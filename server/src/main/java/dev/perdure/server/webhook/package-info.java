// SPDX-License-Identifier: Apache-2.0
/** Tasks and webhooks: whom a task calls when it starts, and whom it tells how it went. */
@NullMarked
package dev.perdure.server.webhook;

import org.jspecify.annotations.NullMarked;
