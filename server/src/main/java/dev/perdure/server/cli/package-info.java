/** The command line. */
@NullMarked
package dev.perdure.server.cli;

import org.jspecify.annotations.NullMarked;
