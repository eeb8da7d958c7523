// SPDX-License-Identifier: Apache-2.0
/** Counts the tasks that {@code perdure watch} follows. */
@NullMarked
package dev.perdure.cli.watch;

import org.jspecify.annotations.NullMarked;
