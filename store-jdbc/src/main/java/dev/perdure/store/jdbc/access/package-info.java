// SPDX-License-Identifier: Apache-2.0
/** What a server keeps beside the tasks: keys, secrets, and what operators did. */
@NullMarked
package dev.perdure.store.jdbc.access;

import org.jspecify.annotations.NullMarked;
