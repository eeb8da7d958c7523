// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useId, useState } from 'react';
import type { FormEvent, KeyboardEvent, RefObject } from 'react';
import { find } from '../api/queries';
import { fromText, toParams } from '../parts/filters';
import { useDebounced } from '../parts/useDebounced';
import { canFind, jumpsFor, placesFor } from './jump';
import type { Jump } from './jump';
import css from './TopBar.module.css';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const WAIT_MS = 200;

/** Jumps to a place or to what the server finds by an id or a name; else filters tasks. */
export function SearchBox({ inputRef }: { readonly inputRef: RefObject<HTMLInputElement | null> }) {
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const navigate = useNavigate();
  const list = useId();
  const asked = useDebounced(text.trim(), WAIT_MS);
  const found = useQuery({ ...find(asked), enabled: open && canFind(asked) });
  const jumps = open ? [...placesFor(text), ...jumpsFor(canFind(text) && asked === text.trim() ? found.data ?? [] : [])] : [];
  const leave = () => {
    setText('');
    setOpen(false);
    setActive(-1);
    inputRef.current?.blur();
  };
  const go = (jump: Jump) => {
    if (jump.type === 'place') void navigate({ to: jump.path });
    else if (jump.type === 'task') void navigate({ to: '/tasks/$id', params: { id: jump.id } });
    else if (jump.type === 'batch') void navigate({ to: '/batches/$id', params: { id: jump.id } });
    else if (jump.type === 'schedule') void navigate({ to: '/schedules/$id', params: { id: jump.id } });
    else void navigate({ to: '/tasks', search: { error: jump.id } });
    leave();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = text.trim();
    const chosen = jumps[active];
    if (wanted === '') return;
    if (chosen) return go(chosen);
    if (UUID.test(wanted)) go(jumps.find(({ type }) => type !== 'place') ?? { type: 'task', key: '', words: '', id: wanted.toLowerCase() });
    else void navigate({ to: '/tasks', search: toParams(fromText(wanted)) });
    leave();
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape') return event.currentTarget.blur();
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 || jumps.length === 0) return;
    event.preventDefault();
    setActive(Math.max(-1, Math.min(jumps.length - 1, active + step)));
  };
  return (
    <form className={css.search} role="search" onSubmit={submit}>
      <Search size={16} strokeWidth={1.75} aria-hidden="true" />
      <input
        ref={inputRef}
        type="search" role="combobox" aria-expanded={jumps.length > 0} aria-controls={list} aria-autocomplete="list"
        aria-activedescendant={jumps[active] ? `${list}-${active}` : undefined}
        aria-label="Search tasks or enter a task id"
        placeholder="Search: kind:charge status:fail 503"
        value={text}
        onChange={(event) => { setText(event.target.value); setOpen(true); setActive(-1); }}
        onKeyDown={press} onBlur={() => setOpen(false)}
      />
      <kbd aria-hidden="true">/</kbd>
      <ul id={list} className={css.jumps} role="listbox" aria-label="Places and results" hidden={jumps.length === 0}>
        {jumps.map((jump, i) => (
          <li
            key={jump.key} id={`${list}-${i}`} role="option" aria-selected={i === active}
            onPointerDown={(event) => { event.preventDefault(); go(jump); }}
          >
            <bdi>{jump.words}</bdi><span>{jump.type}</span>
          </li>
        ))}
      </ul>
    </form>
  );
}
