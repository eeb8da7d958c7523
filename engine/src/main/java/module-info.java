/** Durable tasks: submit them, run them, retry them. */
@SuppressWarnings("module") // The modules that may see internals are compiled after this one.
module dev.perdure.engine {
  requires transitive dev.perdure.policy;
  requires transitive dev.perdure.policy.json;
  requires org.slf4j;
  requires static micrometer.core; // Not transitive: users without Micrometer could not compile.
  requires static transitive org.jspecify;

  exports dev.perdure.engine;
  exports dev.perdure.engine.micrometer;
  exports dev.perdure.engine.query;
  exports dev.perdure.engine.schedule;
  exports dev.perdure.engine.spi;
  exports dev.perdure.engine.task;
  exports dev.perdure.engine.internal to
      dev.perdure.store.jdbc,
      dev.perdure.store.testkit;
}
