// SPDX-License-Identifier: Apache-2.0
/** The HTTP API: its routes, and the reading and writing of their JSON. */
@NullMarked
package dev.perdure.server.api;

import org.jspecify.annotations.NullMarked;
