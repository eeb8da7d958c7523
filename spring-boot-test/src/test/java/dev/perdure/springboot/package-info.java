// SPDX-License-Identifier: Apache-2.0
/** Tests with Spring Boot. */
@NullMarked
package dev.perdure.springboot;

import org.jspecify.annotations.NullMarked;
