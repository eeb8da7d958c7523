// SPDX-License-Identifier: Apache-2.0
/** Pure decisions about tasks and deliveries. Exported to our own modules only; not API. */
@NullMarked
package dev.perdure.engine.internal;

import org.jspecify.annotations.NullMarked;
