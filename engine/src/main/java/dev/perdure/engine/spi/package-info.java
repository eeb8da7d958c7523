// SPDX-License-Identifier: Apache-2.0
/** The contract that a store implements. */
@NullMarked
package dev.perdure.engine.spi;

import org.jspecify.annotations.NullMarked;
