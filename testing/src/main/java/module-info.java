/** For tests of handlers: a store in memory and a clock that moves only when told to. */
module dev.perdure.testing {
  requires transitive dev.perdure.engine;
  requires static org.jspecify;

  exports dev.perdure.testing;
}
