// SPDX-License-Identifier: Apache-2.0
/** What a task is, what may happen to it, and what is decided when it does: pure, no clock. */
@NullMarked
package dev.perdure.engine.task;

import org.jspecify.annotations.NullMarked;
