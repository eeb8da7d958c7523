/** The command line. */
@NullMarked
package dev.perdure.cli;

import org.jspecify.annotations.NullMarked;
