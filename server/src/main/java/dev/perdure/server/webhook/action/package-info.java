/** Webhook actions of a task, and the HTTP requests built from them. */
@NullMarked
package dev.perdure.server.webhook.action;

import org.jspecify.annotations.NullMarked;
