// SPDX-License-Identifier: Apache-2.0
// The only policy that the content security policy allows. It lets workers start from our own files.
import { BASE_PATH } from './prefix';

/** What a worker may be started from. Without Trusted Types a browser takes the plain address. */
export type ScriptUrl = string | URL;

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): ScriptUrl };
}

const FOLDERS = import.meta.env.DEV ? ['assets', 'src', 'node_modules'] : ['assets'];

/** The address, if it is one of our own scripts; throws otherwise. */
export function checkOwnScript(url: string, page: string, base: string, folders: readonly string[] = FOLDERS): string {
  const { origin, pathname } = new URL(url, page);
  const own = origin === new URL(page).origin && folders.some((folder) => pathname.startsWith(`${base}/${folder}/`));
  if (!own) throw new TypeError(`${url} is not a script of the dashboard.`);
  return url;
}

const rules = { createScriptURL: (url: string) => checkOwnScript(url, location.href, BASE_PATH) };
const types = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
const policy: { createScriptURL(url: string): ScriptUrl } = types?.createPolicy('perdure', rules) ?? rules;

/** Makes the address of a worker, imported with `?worker&url`, one that the browser accepts. */
export function ownScript(url: string): ScriptUrl {
  return policy.createScriptURL(url);
}
