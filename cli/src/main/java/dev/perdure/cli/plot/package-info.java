/** Pictures, and the two ways to draw them: SVG and PNG. */
@NullMarked
package dev.perdure.cli.plot;

import org.jspecify.annotations.NullMarked;
