// SPDX-License-Identifier: Apache-2.0

export interface FieldError {
  readonly path: string;
  readonly message: string;
}

/** An answer that is not a success: the problem document of RFC 9457. */
export class ApiError extends Error {
  readonly status: number;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  /** The server sent Retry-After: nothing was changed, and the request can be repeated. */
  readonly repeatable: boolean;

  constructor(status: number, body: unknown, repeatable = false) {
    const problem = (typeof body === 'object' && body !== null ? body : {}) as Partial<Record<string, unknown>>;
    const detail = typeof problem.detail === 'string' ? problem.detail : '';
    super(`${status} ${detail}`);
    this.name = 'ApiError';
    this.status = status;
    this.detail = detail;
    this.repeatable = repeatable;
    this.errors = Array.isArray(problem.errors) ? problem.errors : [];
  }
}
