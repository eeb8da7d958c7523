// SPDX-License-Identifier: Apache-2.0
/** A demo that shows within a minute what happens to failed work; it needs no network. */
@NullMarked
package dev.perdure.demo;

import org.jspecify.annotations.NullMarked;
