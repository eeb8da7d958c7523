/** Explains a policy before it runs: its timeline, and warnings about unwise settings. */
@NullMarked
package dev.perdure.policy.explain;

import org.jspecify.annotations.NullMarked;
