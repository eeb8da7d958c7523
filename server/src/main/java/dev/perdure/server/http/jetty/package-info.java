// SPDX-License-Identifier: Apache-2.0
/** Listens with Jetty: the only place that knows it. */
@NullMarked
package dev.perdure.server.http.jetty;

import org.jspecify.annotations.NullMarked;
