// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The names of an exception's class and its supertypes, nearest first, computed once per class. */
final class ExceptionTypes {

  private static final ClassValue<List<String>> NAMES =
      new ClassValue<>() {
        @Override
        protected List<String> computeValue(Class<?> type) {
          return namesByDistance(type);
        }
      };

  private ExceptionTypes() {}

  static List<String> of(Class<? extends Throwable> type) {
    return NAMES.get(type);
  }

  /**
   * Breadth first, the superclass before the interfaces. {@code Object} is left out: it is not
   * useful in a matcher.
   */
  static List<String> namesByDistance(Class<?> type) {
    Set<Class<?>> seen = new LinkedHashSet<>(List.of(type));
    Set<Class<?>> level = Set.of(type);
    while (!level.isEmpty()) {
      Set<Class<?>> next = new LinkedHashSet<>();
      for (Class<?> here : level) {
        Class<?> above = here.getSuperclass();
        if (above != null && above != Object.class) {
          next.add(above);
        }
        next.addAll(List.of(here.getInterfaces()));
      }
      seen.addAll(next);
      level = next;
    }
    return seen.stream().map(Class::getName).toList();
  }
}
