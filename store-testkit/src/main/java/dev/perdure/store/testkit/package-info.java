// SPDX-License-Identifier: Apache-2.0
/** The contract that every store must pass. */
@NullMarked
package dev.perdure.store.testkit;

import org.jspecify.annotations.NullMarked;
