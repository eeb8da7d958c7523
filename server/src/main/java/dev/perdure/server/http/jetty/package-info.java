// SPDX-License-Identifier: Apache-2.0
/** The HTTP listener on Jetty. No other package uses Jetty. */
@NullMarked
package dev.perdure.server.http.jetty;

import org.jspecify.annotations.NullMarked;
