// SPDX-License-Identifier: Apache-2.0
/** The application of the guide: compiled once, run with each supported version of Spring Boot. */
@NullMarked
package dev.perdure.springboot.docs;

import org.jspecify.annotations.NullMarked;
