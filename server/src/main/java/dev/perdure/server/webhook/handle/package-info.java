/** Tokens with which a callee settles its attempt. */
@NullMarked
package dev.perdure.server.webhook.handle;

import org.jspecify.annotations.NullMarked;
