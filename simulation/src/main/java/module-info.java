/** Runs the engine on a simulated clock, a simulated scheduler and an unreliable store. */
module dev.perdure.simulation {
  requires transitive dev.perdure.engine;
  requires dev.perdure.testing;
  requires static org.jspecify;

  exports dev.perdure.simulation;
}
