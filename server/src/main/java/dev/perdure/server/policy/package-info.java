// SPDX-License-Identifier: Apache-2.0
/** What is said of a policy, as JSON: the same on the command line and over HTTP. */
@NullMarked
package dev.perdure.server.policy;

import org.jspecify.annotations.NullMarked;
