// SPDX-License-Identifier: Apache-2.0
/** Notifications: messages to people, through channels that the operator has configured. */
@NullMarked
package dev.perdure.server.notify;

import org.jspecify.annotations.NullMarked;
