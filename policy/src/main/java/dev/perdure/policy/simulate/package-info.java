/** What a policy does to a service in trouble, when many clients follow it at once. */
@NullMarked
package dev.perdure.policy.simulate;

import org.jspecify.annotations.NullMarked;
