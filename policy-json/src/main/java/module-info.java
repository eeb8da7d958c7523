/** Reads and writes retry policies as JSON. */
module dev.perdure.policy.json {
  requires transitive dev.perdure.policy;
  requires transitive tools.jackson.databind;
  requires static org.jspecify;

  exports dev.perdure.policy.json;
}
