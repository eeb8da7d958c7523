// SPDX-License-Identifier: Apache-2.0
/** HTTP without a library: requests, responses, routes, roles and problem documents. */
@NullMarked
package dev.perdure.server.http;

import org.jspecify.annotations.NullMarked;
