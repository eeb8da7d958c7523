// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

/**
 * A dependency that cannot be stored.
 *
 * @param task the index of the task in the batch
 * @param dependency the index of the dependency in the task
 * @param message what is wrong and what to do
 */
public record DependencyProblem(int task, int dependency, String message) {}
