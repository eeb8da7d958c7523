// SPDX-License-Identifier: Apache-2.0
/** What the engine asks of a store. */
@NullMarked
package dev.perdure.engine.store;

import org.jspecify.annotations.NullMarked;
