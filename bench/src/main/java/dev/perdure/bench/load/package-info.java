// SPDX-License-Identifier: Apache-2.0
/** What the server bears: a process of its own, driven over loopback. */
@NullMarked
package dev.perdure.bench.load;

import org.jspecify.annotations.NullMarked;
