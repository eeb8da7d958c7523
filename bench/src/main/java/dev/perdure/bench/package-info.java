/** One class for each question about speed. */
@NullMarked
package dev.perdure.bench;

import org.jspecify.annotations.NullMarked;
