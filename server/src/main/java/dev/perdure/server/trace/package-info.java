// SPDX-License-Identifier: Apache-2.0
/** Traces: spans of attempts and calls, sent to a collector when there is one. */
@NullMarked
package dev.perdure.server.trace;

import org.jspecify.annotations.NullMarked;
