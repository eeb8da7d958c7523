// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.Serializable;
import org.junit.jupiter.api.Test;

class ExceptionTypesTest {

  interface Farther {}

  interface Near extends Farther {}

  interface Beside {}

  static class Parent extends RuntimeException implements Beside {}

  static final class Child extends Parent implements Near, Serializable {}

  @Test
  void starts_with_the_class_itself_and_ends_with_the_farthest_supertype() {
    assertThat(ExceptionTypes.namesByDistance(FileNotFoundException.class))
        .containsExactly(
            "java.io.FileNotFoundException",
            "java.io.IOException",
            "java.lang.Exception",
            "java.lang.Throwable",
            "java.io.Serializable");
  }

  @Test
  void lists_each_level_once_with_the_superclass_before_the_interfaces() {
    String here = ExceptionTypesTest.class.getName() + "$";

    assertThat(ExceptionTypes.namesByDistance(Child.class))
        .containsExactly(
            here + "Child",
            here + "Parent",
            here + "Near",
            "java.io.Serializable",
            "java.lang.RuntimeException",
            here + "Beside",
            here + "Farther",
            "java.lang.Exception",
            "java.lang.Throwable");
  }

  @Test
  void is_computed_once_per_class() {
    assertThat(ExceptionTypes.of(Parent.class))
        .isEqualTo(ExceptionTypes.namesByDistance(Parent.class))
        .isSameAs(ExceptionTypes.of(Parent.class));
  }
}
