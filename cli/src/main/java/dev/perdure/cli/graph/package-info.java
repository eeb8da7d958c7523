// SPDX-License-Identifier: Apache-2.0
/** Arranges the tasks of a batch and their dependencies for drawing. */
@NullMarked
package dev.perdure.cli.graph;

import org.jspecify.annotations.NullMarked;
