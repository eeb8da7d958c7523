// SPDX-License-Identifier: Apache-2.0
/** The log: what SLF4J is told, a line a message on standard error. */
@NullMarked
package dev.perdure.server.log;

import org.jspecify.annotations.NullMarked;
