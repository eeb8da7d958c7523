/** The outgoing HTTP call: bounded in time, size and number. */
@NullMarked
package dev.perdure.server.webhook.send;

import org.jspecify.annotations.NullMarked;
