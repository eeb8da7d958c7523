/** A webhook as it is written in a task, and the call it becomes. */
@NullMarked
package dev.perdure.server.webhook.action;

import org.jspecify.annotations.NullMarked;
