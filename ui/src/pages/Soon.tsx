// SPDX-License-Identifier: Apache-2.0
import { Link } from '@tanstack/react-router';
import { Empty } from '../parts/Empty';

/** A place that has an address but no page yet. */
export function Soon({ name }: { readonly name: string }) {
  return (
    <>
      <title>{`${name} · Perdure`}</title>
      <h1>{name}</h1>
      <Empty title="This page does not exist yet.">
        <p>Until then, use the <Link to="/tasks">list of tasks</Link>, the command line or the API.</p>
      </Empty>
    </>
  );
}

export function NotFound() {
  return (
    <Empty title="There is no such page.">
      <p><Link to="/">Go to the overview</Link></p>
    </Empty>
  );
}
