/** Signatures by which a callee knows who called. */
@NullMarked
package dev.perdure.server.webhook.sign;

import org.jspecify.annotations.NullMarked;
