// SPDX-License-Identifier: Apache-2.0
/** What a server stores besides tasks: API keys, sessions, secrets, audit entries and more. */
@NullMarked
package dev.perdure.store.jdbc.access;

import org.jspecify.annotations.NullMarked;
