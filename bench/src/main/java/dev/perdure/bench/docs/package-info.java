/** The Java code of the guides. It is compiled here, and a test compares it with the guides. */
@NullMarked
package dev.perdure.bench.docs;

import org.jspecify.annotations.NullMarked;
