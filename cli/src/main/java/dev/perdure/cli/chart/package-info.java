/** What drawings have in common, whatever they are drawn with: scales, and which rows to show. */
@NullMarked
package dev.perdure.cli.chart;

import org.jspecify.annotations.NullMarked;
