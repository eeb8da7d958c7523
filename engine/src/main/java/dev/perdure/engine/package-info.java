// SPDX-License-Identifier: Apache-2.0
/** The engine: submits tasks, runs them, and tries again what failed. */
@NullMarked
package dev.perdure.engine;

import org.jspecify.annotations.NullMarked;
