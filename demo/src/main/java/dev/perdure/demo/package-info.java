// SPDX-License-Identifier: Apache-2.0
/** An example that shows within a minute what becomes of work that fails; no network is needed. */
@NullMarked
package dev.perdure.demo;

import org.jspecify.annotations.NullMarked;
