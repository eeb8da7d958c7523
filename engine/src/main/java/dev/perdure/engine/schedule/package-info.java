// SPDX-License-Identifier: Apache-2.0
/** When schedules fire: triggers as values, without access to a clock or a store. */
@NullMarked
package dev.perdure.engine.schedule;

import org.jspecify.annotations.NullMarked;
