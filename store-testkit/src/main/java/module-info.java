/** The contract every store passes, a store in memory, a clock that stands still. */
module dev.perdure.store.testkit {
  requires transitive dev.perdure.engine;
  requires org.assertj.core;
  requires transitive org.junit.jupiter.api;
  requires transitive org.junit.jupiter.params;
  requires static org.jspecify;

  exports dev.perdure.store.testkit;
}
