// SPDX-License-Identifier: Apache-2.0
/** Tells whoever watches that something changed: server-sent events. */
@NullMarked
package dev.perdure.server.events;

import org.jspecify.annotations.NullMarked;
