/** Signatures with which a callee verifies the sender. */
@NullMarked
package dev.perdure.server.webhook.sign;

import org.jspecify.annotations.NullMarked;
