/** Reads and writes policies as JSON: the canonical form, the presets and the other dialects. */
@NullMarked
package dev.perdure.policy.json;

import org.jspecify.annotations.NullMarked;
