/** Tasks that survive: their states, the store behind them, the workers. */
module dev.perdure.engine {
  requires transitive dev.perdure.policy;
  requires transitive dev.perdure.policy.json;
  requires org.slf4j;
  requires static micrometer.core; // Not transitive: whoever has no Micrometer could not compile.
  requires static transitive org.jspecify;

  exports dev.perdure.engine;
  exports dev.perdure.engine.micrometer;
  exports dev.perdure.engine.spi;
  exports dev.perdure.engine.task;
}
