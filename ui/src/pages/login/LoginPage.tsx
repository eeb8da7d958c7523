// SPDX-License-Identifier: Apache-2.0
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { FormEvent } from 'react';
import { BASE_PATH } from '../../api/prefix';
import { isLoggedOut, logIn, session } from '../../api/session';
import { problemWords } from '../../parts/problemWords';
import { isUnsafe, returnAddress } from './comeFrom';
import css from './LoginPage.module.css';

/** Says what happened, never why a key is wrong. */
async function tryLogIn(key: string): Promise<string | null> {
  try {
    const result = await logIn(key);
    if (result === 'ok') return null;
    if (result === 'wrong') return 'This key does not work.';
    return `Too many wrong keys. Try again in ${result.retryAfterSeconds} s.`;
  } catch (error) {
    return problemWords(error).title;
  }
}

export function LoginPage() {
  const { from } = useSearch({ from: '/login' });
  const { data: known } = useQuery(session());
  const queries = useQueryClient();
  const router = useRouter();
  const [message, setMessage] = useState('');
  const [busy, setBusy] = useState(false);
  const inside = known !== undefined && !isLoggedOut(known);

  useEffect(() => {
    if (inside) router.history.replace(returnAddress(from, BASE_PATH));
  }, [inside, from, router]);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get('key') ?? '').trim();
    setBusy(true);
    const problem = await tryLogIn(key);
    setBusy(false);
    setMessage(problem ?? '');
    // Nothing that was shown to somebody else may stay.
    if (problem === null) await queries.resetQueries();
  };

  return (
    <main className={css.page}>
      <title>Log in · Perdure</title>
      <form className={css.form} onSubmit={(event) => void submit(event)}>
        <h1>Perdure</h1>
        <label className={css.label} htmlFor="key">API key</label>
        <input
          id="key" name="key" type="password" autoComplete="current-password" spellCheck={false} required autoFocus
          aria-describedby="hint" aria-invalid={message !== ''} aria-errormessage="message"
        />
        <p id="message" className={css.message} role="alert">{message}</p>
        <button type="submit" className={css.submit} disabled={busy}>Log in</button>
        {isUnsafe(location) && (
          <p className={css.message}>
            This page is not encrypted, so the browser does not keep a login. Open it over https, or through
            {' '}<code>ssh -L</code> as localhost.
          </p>
        )}
        <p id="hint" className={css.hint}>Make one with <code>perdure key create NAME --role admin</code></p>
      </form>
    </main>
  );
}
