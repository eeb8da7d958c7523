// SPDX-License-Identifier: Apache-2.0
/** Pure decisions about tasks and deliveries. Not API: exported to our own modules only. */
@NullMarked
package dev.perdure.engine.internal;

import org.jspecify.annotations.NullMarked;
