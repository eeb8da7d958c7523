// SPDX-License-Identifier: Apache-2.0
import { Link } from '@tanstack/react-router';
import { Empty } from '../parts/Empty';

export function NotFound() {
  return (
    <Empty title="There is no such page.">
      <p><Link to="/">Go to the overview</Link></p>
    </Empty>
  );
}
