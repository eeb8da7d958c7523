// SPDX-License-Identifier: Apache-2.0
/** The Java client of Perdure's HTTP API; start with {@link dev.perdure.client.PerdureClient}. */
@NullMarked
package dev.perdure.client;

import org.jspecify.annotations.NullMarked;
