// SPDX-License-Identifier: Apache-2.0
/** The server: a store, an engine and an HTTP listener, put together. */
@NullMarked
package dev.perdure.server;

import org.jspecify.annotations.NullMarked;
