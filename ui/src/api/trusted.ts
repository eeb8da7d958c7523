// SPDX-License-Identifier: Apache-2.0
// The one Trusted Types policy of the dashboard. It lets only our own scripts through.

interface Policy {
  createScriptURL(url: string): unknown;
}

interface Factory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): Policy;
}

const ROOT = import.meta.env.BASE_URL;

/** The built files, and in development whatever the development server has. */
export function ownScript(url: string, base = location.href, root = import.meta.env.DEV ? ROOT : `${ROOT}assets/`): string {
  const { origin, pathname } = new URL(url, base);
  if (origin !== new URL(base).origin || !pathname.startsWith(root)) throw new TypeError(`Not a script of the dashboard: ${url}`);
  return url;
}

let policy: Policy | undefined;

/** The address of a worker as `new Worker` wants it where Trusted Types are enforced. */
export function scriptUrl(url: string): string {
  const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
  policy ??= factory ? factory.createPolicy('perdure', { createScriptURL: (text) => ownScript(text) }) : { createScriptURL: ownScript };
  return policy.createScriptURL(url) as string;
}
