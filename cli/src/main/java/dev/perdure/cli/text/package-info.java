/** What the command line writes for people: words, tables and small drawings of characters. */
@NullMarked
package dev.perdure.cli.text;

import org.jspecify.annotations.NullMarked;
