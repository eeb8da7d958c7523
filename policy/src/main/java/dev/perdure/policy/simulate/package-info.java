/** Simulates what a policy does to a service in an outage when many clients use it. */
@NullMarked
package dev.perdure.policy.simulate;

import org.jspecify.annotations.NullMarked;
