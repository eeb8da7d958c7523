// SPDX-License-Identifier: Apache-2.0
/** What only the simulation needs. */
@NullMarked
package dev.perdure.testing.internal;

import org.jspecify.annotations.NullMarked;
