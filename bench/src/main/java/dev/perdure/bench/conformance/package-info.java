/** The same promises put to several libraries: who keeps which. */
@NullMarked
package dev.perdure.bench.conformance;

import org.jspecify.annotations.NullMarked;
