// SPDX-License-Identifier: Apache-2.0
/** Micrometer metrics of the engine. */
@NullMarked
package dev.perdure.engine.micrometer;

import org.jspecify.annotations.NullMarked;
