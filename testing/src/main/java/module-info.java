/** Support for tests of handlers: an in-memory store, a fake clock and a recording listener. */
@SuppressWarnings("module") // The simulation is compiled after this module.
module dev.perdure.testing {
  requires transitive dev.perdure.engine;
  requires static org.jspecify;

  exports dev.perdure.testing;
  exports dev.perdure.testing.internal to
      dev.perdure.simulation;
}
