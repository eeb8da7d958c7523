/** JMH benchmarks of the retry policy and of calls retried in the process. */
@NullMarked
package dev.perdure.bench;

import org.jspecify.annotations.NullMarked;
