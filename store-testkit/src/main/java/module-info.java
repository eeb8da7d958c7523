/** The contract that every store must pass. */
module dev.perdure.store.testkit {
  requires transitive dev.perdure.engine;
  requires transitive dev.perdure.testing;
  requires org.assertj.core;
  requires transitive org.junit.jupiter.api;
  requires transitive org.junit.jupiter.params;
  requires static org.jspecify;

  exports dev.perdure.store.testkit;
}
