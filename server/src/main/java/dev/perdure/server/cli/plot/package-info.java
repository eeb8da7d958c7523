/** Pictures, and the two ways to draw them: SVG and PNG. */
@NullMarked
package dev.perdure.server.cli.plot;

import org.jspecify.annotations.NullMarked;
