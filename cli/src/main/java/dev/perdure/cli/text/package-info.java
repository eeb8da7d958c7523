/** The text output of the command line: sentences, tables and small charts. */
@NullMarked
package dev.perdure.cli.text;

import org.jspecify.annotations.NullMarked;
