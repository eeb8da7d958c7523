// SPDX-License-Identifier: Apache-2.0
/** Server-sent events that tell clients what changed. */
@NullMarked
package dev.perdure.server.events;

import org.jspecify.annotations.NullMarked;
