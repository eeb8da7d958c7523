// SPDX-License-Identifier: Apache-2.0
/** The HTTP API: every path and what answers it. */
@NullMarked
package dev.perdure.server.api;

import org.jspecify.annotations.NullMarked;
