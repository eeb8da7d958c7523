/** Support for tests of handlers: an in-memory store, a fake clock and a recording listener. */
module dev.perdure.testing {
  requires transitive dev.perdure.engine;
  requires static org.jspecify;

  exports dev.perdure.testing;
}
