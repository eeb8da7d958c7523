// SPDX-License-Identifier: Apache-2.0
/** HTTP as the server sees it: requests, answers, routes, and who may ask. No library in sight. */
@NullMarked
package dev.perdure.server.http;

import org.jspecify.annotations.NullMarked;
