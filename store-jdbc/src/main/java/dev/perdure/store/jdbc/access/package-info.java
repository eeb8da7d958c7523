// SPDX-License-Identifier: Apache-2.0
/** What a server stores besides tasks: API keys, secrets, audit entries and the use of channels. */
@NullMarked
package dev.perdure.store.jdbc.access;

import org.jspecify.annotations.NullMarked;
