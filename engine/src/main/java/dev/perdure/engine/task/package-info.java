// SPDX-License-Identifier: Apache-2.0
/** Tasks, attempts and deliveries as data: pure, without a clock or a store. */
@NullMarked
package dev.perdure.engine.task;

import org.jspecify.annotations.NullMarked;
