/** The code of the guides, so that it compiles; a test compares them word for word. */
@NullMarked
package dev.perdure.bench.docs;

import org.jspecify.annotations.NullMarked;
