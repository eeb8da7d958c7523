// SPDX-License-Identifier: Apache-2.0
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { FormEvent } from 'react';
import { logIn } from '../../api/session';
import { createKey } from '../../api/settings';
import type { ApiKey, NewKey } from '../../api/settings';
import buttons from '../../parts/Button.module.css';
import { CopyButton } from '../../parts/CopyButton';
import { Dialog } from '../../parts/Dialog';
import { Select } from '../../parts/Select';
import { actionWords } from '../../parts/toast';
import own from './NewKey.module.css';
import css from './Settings.module.css';
import { EXPIRIES, missing, ROLES, rolesOf } from './words';
import type { Expiry, RoleName } from './words';

interface Props {
  readonly open: boolean;
  /** Whether the server asks nobody for a key yet. */
  readonly first: boolean;
  /** The key that the new one replaces; null for another key. */
  readonly replaces: ApiKey | null;
  readonly onClose: () => void;
}

/**
 * Creates a key and shows it, this once. With its first key the server begins to ask for one: the
 * page logs in with it at once, or it would be closed before anybody could copy the key.
 */
async function create({ body, first }: { readonly body: NewKey; readonly first: boolean }): Promise<ApiKey> {
  const made = await createKey(body);
  if (first && made.key !== undefined) await logIn(made.key).catch(() => undefined);
  return made;
}

export function NewKeyDialog({ open, first, replaces, onClose }: Props) {
  const queries = useQueryClient();
  // What others see of the new key is asked for only after its text has been read.
  const make = useMutation({ mutationFn: create });
  const made = make.data;
  const close = () => {
    onClose();
    if (made) void queries.invalidateQueries();
    make.reset();
  };
  if (made) {
    return (
      <Dialog title={`The key ${made.name}`} open={open} onClose={close} closeWord="I have stored it">
        <p>Copy it now. It is shown only this once.</p>
        {replaces && <p>The key {replaces.name} ({replaces.id}) still works. Revoke it when everything uses the new one.</p>}
        <pre className={own.secret}>{made.key}</pre>
        <p><CopyButton word="Copy the key" text={() => made.key ?? ''} /></p>
      </Dialog>
    );
  }
  return <Form key={replaces?.id ?? ''} open={open} first={first} replaces={replaces} busy={make.isPending} error={make.error} onClose={close} onCreate={(body) => make.mutate({ body, first })} />;
}

interface FormProps extends Props {
  readonly busy: boolean;
  readonly error: unknown;
  readonly onCreate: (body: NewKey) => void;
}

function Form({ open, first, replaces, busy, error, onClose, onCreate }: FormProps) {
  const form = useId();
  const [name, setName] = useState(replaces?.name ?? '');
  const [roles, setRoles] = useState<readonly RoleName[]>(replaces ? rolesOf(replaces) : first ? ['admin'] : ['read']);
  const [expiry, setExpiry] = useState<Expiry>(first ? '' : '90d');
  const [tried, setTried] = useState(false);
  const lacks = missing(name, roles, first);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (lacks === null) onCreate({ name: name.trim(), roles: [...roles], ...(expiry === '' ? {} : { expires_after: expiry }) });
  };
  const toggle = (role: RoleName) => setRoles((was) => (was.includes(role) ? was.filter((other) => other !== role) : [...was, role]));
  const failed = error ? actionWords(error) : null;
  return (
    <Dialog
      title={replaces ? `Replace the key ${replaces.name}` : 'New key'} open={open} onClose={onClose} closeWord="Cancel"
      actions={<button type="submit" form={form} className={buttons.primary} disabled={busy}>Create the key</button>}
    >
      <form id={form} className={css.form} onSubmit={submit}>
        {replaces && <p className={css.muted}>Creates another key with the same name and roles. The old one works until you revoke it.</p>}
        {first && <p className={css.warning}>This is the first key: from now on every request needs one, also from programs on this machine. This page logs in with it.</p>}
        <label className={own.field}>
          Name
          <input value={name} maxLength={255} placeholder="Who or what uses it" autoComplete="off" onChange={(event) => setName(event.target.value)} />
        </label>
        <fieldset className={css.roles}>
          <legend className={own.legend}>Roles</legend>
          {ROLES.map(({ name: role, text }) => (
            <label key={role} className={css.role}>
              <input type="checkbox" checked={roles.includes(role)} onChange={() => toggle(role)} />
              <span>{role} <span className={css.muted}>{text}</span></span>
            </label>
          ))}
        </fieldset>
        <Select label="Expires" value={expiry} options={EXPIRIES} onChange={setExpiry} />
        {tried && lacks !== null && <p className={css.problem} role="alert">{lacks}</p>}
        {failed && <p className={css.problem} role="alert">{failed.title} {failed.detail}</p>}
      </form>
    </Dialog>
  );
}
