// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.spring;

import dev.perdure.engine.Engine;
import dev.perdure.engine.spi.TaskStore;
import java.util.Set;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDependsOnDatabaseInitializationDetector;

/**
 * Makes Spring Boot run the application's own migrations before it opens a store. Opening the store
 * creates our tables, and Flyway refuses to start in a schema with tables that it does not know.
 */
final class StoreBeanDetector extends AbstractBeansOfTypeDependsOnDatabaseInitializationDetector {

  @Override
  protected Set<Class<?>> getDependsOnDatabaseInitializationBeanTypes() {
    return Set.of(TaskStore.class, Engine.class);
  }
}
