/** Checks which addresses a webhook may reach. */
@NullMarked
package dev.perdure.server.webhook.guard;

import org.jspecify.annotations.NullMarked;
