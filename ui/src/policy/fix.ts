// SPDX-License-Identifier: Apache-2.0
// The fix of a warning as a change of the policy. The server writes it as JSON within its words:
// set "jitter": {"type": "spread", "factor": 0.25}
import type { LintAnswer, Warning } from '../api/policies';
import { formatJson } from '../api/json';
import { isFormPolicy, isObject, parsePolicy } from './form';

export interface Fix {
  /** Such as `"jitter": {"type": "spread", "factor": 0.25}`. */
  readonly words: string;
  readonly field: string;
  readonly value: unknown;
}

const FIELD = /"(max_retries|backoff|jitter|max_delay|expires_after)":\s*/;

/** The first field that the fix names together with its value; null if it only gives advice. */
export function fixOf({ fix }: Warning): Fix | null {
  const found = FIELD.exec(fix);
  if (!found?.[1]) return null;
  const start = found.index + found[0].length;
  const json = jsonAt(fix, start);
  return json === null ? null : { words: fix.slice(found.index, start + json.length), field: found[1], value: JSON.parse(json) };
}

/** The longest JSON value that begins here. */
function jsonAt(text: string, start: number): string | null {
  for (let end = text.length; end > start; end--) {
    const candidate = text.slice(start, end);
    if (/\s$/.test(candidate)) continue;
    try {
      JSON.parse(candidate);
      return candidate;
    } catch {
      // Too long still.
    }
  }
  return null;
}

/** The policy with the fix, as text; null if it cannot be put in. A policy in another form becomes canonical first. */
export function withFix(text: string, warning: Warning, { canonical }: LintAnswer): string | null {
  const fix = fixOf(warning);
  const { value } = parsePolicy(text);
  const policy = isFormPolicy(value) ? value : canonical;
  if (!fix || !isObject(policy)) return null;
  const [, index] = /^overrides\[(\d+)\]/.exec(warning.path) ?? [];
  if (index === undefined) return formatJson({ ...policy, [fix.field]: fix.value });
  const { overrides } = policy;
  const override: unknown = Array.isArray(overrides) ? overrides[Number(index)] : undefined;
  if (!Array.isArray(overrides) || !isObject(override)) return null;
  return formatJson({ ...policy, overrides: overrides.with(Number(index), { ...override, [fix.field]: fix.value }) });
}
