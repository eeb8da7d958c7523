// SPDX-License-Identifier: Apache-2.0
package dev.perdure.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which package may depend on which. */
class ArchitectureTest {

  private static final String[] JAVA_AND_NULLNESS = {"java..", "org.jspecify.."};

  private static final Set<String> ENGINE_API =
      Set.of(
          "dev.perdure.engine",
          "dev.perdure.engine.micrometer",
          "dev.perdure.engine.query",
          "dev.perdure.engine.schedule",
          "dev.perdure.engine.task");

  /** All main classes; the server's tests are on the class path too. */
  static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/"))
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("dev.perdure");

  @Test
  void every_module_is_checked() {
    assertThat(CLASSES.stream().map(type -> type.getPackageName()))
        .contains(
            "dev.perdure.policy",
            "dev.perdure.policy.explain",
            "dev.perdure.policy.simulate",
            "dev.perdure.policy.json",
            "dev.perdure.retry",
            "dev.perdure.engine",
            "dev.perdure.engine.internal",
            "dev.perdure.engine.query",
            "dev.perdure.engine.schedule",
            "dev.perdure.engine.spi",
            "dev.perdure.engine.task",
            "dev.perdure.store.jdbc",
            "dev.perdure.server.http.jetty",
            "dev.perdure.server.api",
            "dev.perdure.client",
            "dev.perdure.demo",
            "dev.perdure.cli");
  }

  @Test
  void the_policy_depends_on_no_other_module() {
    classes()
        .that(
            resideInAnyPackage("dev.perdure.policy..")
                .and(not(resideInAnyPackage("dev.perdure.policy.json.."))))
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(JAVA_AND_NULLNESS)
                .or(
                    resideInAnyPackage(
                        "dev.perdure.policy",
                        "dev.perdure.policy.explain..",
                        "dev.perdure.policy.simulate..")))
        .check(CLASSES);
  }

  @Test
  void policy_json_depends_only_on_the_policy_and_jackson() {
    classes()
        .that()
        .resideInAPackage("dev.perdure.policy.json..")
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(JAVA_AND_NULLNESS)
                .or(resideInAnyPackage("dev.perdure.policy..", "tools.jackson..")))
        .check(CLASSES);
  }

  @Test
  void in_process_retry_depends_only_on_the_policy_and_micrometer() {
    classes()
        .that()
        .resideInAPackage("dev.perdure.retry..")
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(JAVA_AND_NULLNESS)
                .or(
                    resideInAnyPackage(
                        "dev.perdure.policy", "dev.perdure.retry..", "io.micrometer..")))
        .check(CLASSES);
  }

  @Test
  void code_that_decides_about_tasks_depends_only_on_the_policy() {
    classes()
        .that()
        .resideInAnyPackage("dev.perdure.engine.task", "dev.perdure.engine.internal")
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(JAVA_AND_NULLNESS)
                .or(
                    resideInAnyPackage(
                        "dev.perdure.policy",
                        "dev.perdure.policy.json",
                        "dev.perdure.engine.task",
                        "dev.perdure.engine.internal")))
        .check(CLASSES);
  }

  /** User code compiles against the API packages and the two SPI types that a store returns. */
  @Test
  void the_engine_api_exposes_no_internals_and_only_two_types_of_the_spi() {
    Set<String> allowed =
        Set.of("dev.perdure.engine.spi.TaskStore", "dev.perdure.engine.spi.CallerTransaction");
    List<String> exposed =
        CLASSES.stream()
            .filter(type -> ENGINE_API.contains(type.getPackageName()))
            .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
            .flatMap(ArchitectureTest::exposedTypes)
            .map(JavaClass::getFullName)
            .filter(name -> name.matches("dev\\.perdure\\.engine\\.(internal|spi)\\..*"))
            .filter(name -> !allowed.contains(name))
            .distinct()
            .toList();

    assertThat(exposed).isEmpty();
  }

  /** The types in the signatures of a type and of its public members. */
  private static Stream<JavaClass> exposedTypes(JavaClass type) {
    Stream<JavaType> supertypes =
        Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream());
    Stream<JavaType> members =
        type.getMembers().stream()
            .filter(member -> member.getModifiers().contains(JavaModifier.PUBLIC))
            .flatMap(ArchitectureTest::memberTypes);
    return Stream.concat(supertypes, members)
        .flatMap(exposed -> exposed.getAllInvolvedRawTypes().stream());
  }

  private static Stream<JavaType> memberTypes(JavaMember member) {
    return switch (member) {
      case JavaCodeUnit unit ->
          Stream.concat(
              Stream.concat(Stream.of(unit.getReturnType()), unit.getParameterTypes().stream()),
              unit.getExceptionTypes().stream());
      case JavaField field -> Stream.of(field.getType());
      default -> Stream.empty();
    };
  }

  @Test
  void only_the_engine_and_the_store_contract_use_the_engines_internals() {
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.perdure.engine..", "dev.perdure.store.testkit..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.perdure.engine.internal..")
        .check(CLASSES);
  }

  @Test
  void the_engine_does_not_depend_on_a_database() {
    noClasses()
        .that()
        .resideInAPackage("dev.perdure.engine..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                "java.sql..", "javax.sql..", "dev.perdure.store..", "dev.perdure.retry.."))
        .check(CLASSES);
  }

  @Test
  void only_the_micrometer_package_of_the_engine_depends_on_micrometer() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "dev.perdure.engine",
            "dev.perdure.engine.internal..",
            "dev.perdure.engine.query..",
            "dev.perdure.engine.spi..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.micrometer..")
        .check(CLASSES);
  }

  @Test
  void the_postgres_and_sqlite_stores_do_not_depend_on_each_other() {
    noClasses()
        .that()
        .resideInAPackage("dev.perdure.store.jdbc.postgres..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.perdure.store.jdbc.sqlite..")
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAPackage("dev.perdure.store.jdbc.sqlite..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.perdure.store.jdbc.postgres..")
        .check(CLASSES);
  }

  @Test
  void only_the_listener_depends_on_jetty() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.perdure.server.http.jetty")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.eclipse.jetty..")
        .check(CLASSES);
  }

  @Test
  void only_the_configuration_and_the_api_reference_depend_on_yaml() {
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.perdure.server.config", "dev.perdure.server.api.reference")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.snakeyaml..")
        .check(CLASSES);
  }

  @Test
  void only_the_log_package_depends_on_logback() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.perdure.server.log")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("ch.qos.logback..")
        .check(CLASSES);
  }

  @Test
  void the_http_package_does_not_depend_on_tasks() {
    noClasses()
        .that()
        .resideInAPackage("dev.perdure.server.http..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                "dev.perdure.engine..",
                "dev.perdure.store..",
                "dev.perdure.server.api..",
                "dev.perdure.server.config.."))
        .check(CLASSES);
  }

  @Test
  void http_log_and_config_do_not_depend_on_webhooks() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "dev.perdure.server.http..", "dev.perdure.server.log..", "dev.perdure.server.config..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.perdure.server.webhook..")
        .check(CLASSES);
  }

  @Test
  void redaction_depends_on_no_other_package() {
    classes()
        .that()
        .resideInAPackage("dev.perdure.server.redact..")
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(JAVA_AND_NULLNESS)
                .or(resideInAnyPackage("dev.perdure.server.redact..")))
        .check(CLASSES);
  }

  @Test
  void top_level_packages_of_the_server_have_no_cycles() {
    slices().matching("dev.perdure.server.(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void only_the_demo_and_the_command_line_depend_on_the_server() {
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.perdure.server..", "dev.perdure.demo..", "dev.perdure.cli..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.perdure.server..")
        .check(CLASSES);
  }

  @Test
  void the_server_does_not_depend_on_command_line_demo_or_client() {
    noClasses()
        .that()
        .resideInAPackage("dev.perdure.server..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("dev.perdure.cli..", "dev.perdure.demo..", "dev.perdure.client.."))
        .check(CLASSES);
  }

  @Test
  void nothing_depends_on_the_command_line() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.perdure.cli..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.perdure.cli..")
        .check(CLASSES);
  }

  @Test
  void the_client_depends_only_on_the_policy_and_its_json() {
    classes()
        .that()
        .resideInAPackage("dev.perdure.client..")
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(JAVA_AND_NULLNESS)
                .or(
                    resideInAnyPackage(
                        "dev.perdure.client..", "dev.perdure.policy..", "tools.jackson..")))
        .check(CLASSES);
  }

  @Test
  void packages_have_no_cycles() {
    slices()
        .matching("dev.perdure.(**)")
        .should()
        .beFreeOfCycles()
        // It chooses between the stores, which implement the interface in its own package.
        .ignoreDependency(simpleName("JdbcStoreBuilder"), DescribedPredicate.alwaysTrue())
        .check(CLASSES);
  }
}
