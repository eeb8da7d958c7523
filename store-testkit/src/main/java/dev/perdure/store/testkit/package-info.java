// SPDX-License-Identifier: Apache-2.0
/** The contract every store passes, a store in memory, a clock that stands still. */
@NullMarked
package dev.perdure.store.testkit;

import org.jspecify.annotations.NullMarked;
