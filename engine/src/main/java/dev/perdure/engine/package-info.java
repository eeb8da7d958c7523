// SPDX-License-Identifier: Apache-2.0
/** Durable tasks: submit them, run them, and retry those that fail. */
@NullMarked
package dev.perdure.engine;

import org.jspecify.annotations.NullMarked;
