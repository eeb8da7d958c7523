// SPDX-License-Identifier: Apache-2.0
/** Tasks, attempts and deliveries as values, without access to a clock or a store. */
@NullMarked
package dev.perdure.engine.task;

import org.jspecify.annotations.NullMarked;
