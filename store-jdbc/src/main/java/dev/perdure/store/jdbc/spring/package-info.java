// SPDX-License-Identifier: Apache-2.0
/** What Spring Boot must know about stores. Not used without Spring Boot. */
@NullMarked
package dev.perdure.store.jdbc.spring;

import org.jspecify.annotations.NullMarked;
