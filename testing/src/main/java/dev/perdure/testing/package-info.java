// SPDX-License-Identifier: Apache-2.0
/** For tests of handlers: a store in memory and a clock that moves only when told to. */
@NullMarked
package dev.perdure.testing;

import org.jspecify.annotations.NullMarked;
