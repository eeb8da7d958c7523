// SPDX-License-Identifier: Apache-2.0
/** Asks a running server, for the command line. */
@NullMarked
package dev.perdure.client;

import org.jspecify.annotations.NullMarked;
