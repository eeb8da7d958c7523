// SPDX-License-Identifier: Apache-2.0
/** Support for tests of handlers: an in-memory store, a fake clock and a recording listener. */
@NullMarked
package dev.perdure.testing;

import org.jspecify.annotations.NullMarked;
