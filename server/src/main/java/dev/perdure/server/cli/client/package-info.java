// SPDX-License-Identifier: Apache-2.0
/** Asks a running server, for the command line. */
@NullMarked
package dev.perdure.server.cli.client;

import org.jspecify.annotations.NullMarked;
