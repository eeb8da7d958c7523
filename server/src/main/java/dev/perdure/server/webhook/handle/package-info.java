/** Tokens by which a callee may end the attempt it was called for. */
@NullMarked
package dev.perdure.server.webhook.handle;

import org.jspecify.annotations.NullMarked;
