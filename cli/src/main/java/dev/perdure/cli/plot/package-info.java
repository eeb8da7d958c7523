/** Draws timelines and simulations as SVG. */
@NullMarked
package dev.perdure.cli.plot;

import org.jspecify.annotations.NullMarked;
