/** What a policy will do, told before it does it: its timeline, and what is unwise in it. */
@NullMarked
package dev.perdure.policy.explain;

import org.jspecify.annotations.NullMarked;
