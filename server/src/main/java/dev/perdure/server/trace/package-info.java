// SPDX-License-Identifier: Apache-2.0
/** Tracing: spans of attempts and webhook calls, sent to a collector if one is configured. */
@NullMarked
package dev.perdure.server.trace;

import org.jspecify.annotations.NullMarked;
