/** Scales and row selection that terminal charts and SVG plots share. */
@NullMarked
package dev.perdure.cli.chart;

import org.jspecify.annotations.NullMarked;
