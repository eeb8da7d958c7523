// SPDX-License-Identifier: Apache-2.0
/** What the engine does, as Micrometer metrics. */
@NullMarked
package dev.perdure.engine.micrometer;

import org.jspecify.annotations.NullMarked;
