/** Sends HTTP requests with limits on time, size and number. */
@NullMarked
package dev.perdure.server.webhook.send;

import org.jspecify.annotations.NullMarked;
