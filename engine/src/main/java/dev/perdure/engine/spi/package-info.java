// SPDX-License-Identifier: Apache-2.0
/** What the engine asks of a store. */
@NullMarked
package dev.perdure.engine.spi;

import org.jspecify.annotations.NullMarked;
