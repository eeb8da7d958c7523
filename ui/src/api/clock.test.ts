// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { ServerClock } from './clock';

const LOCAL = Date.UTC(2026, 10, 16, 2, 0, 0);

function observe(clock: ServerClock, offset: number, roundTrip = 0): void {
  const server = new Date(LOCAL + offset).toISOString();
  clock.observe(server, LOCAL - roundTrip / 2, LOCAL + roundTrip / 2);
}

it('uses the clock of the browser until the server has told the time', () => {
  const clock = new ServerClock(() => LOCAL);
  clock.observe(null, LOCAL, LOCAL);
  clock.observe('soon', LOCAL, LOCAL);
  expect(clock.now()).toBe(LOCAL);
});

it('counts by the clock of the server when the laptop is 10 minutes off', () => {
  const clock = new ServerClock(() => LOCAL);
  observe(clock, -600_000);
  expect(clock.now()).toBe(LOCAL - 600_000);
});

it('takes the middle of the round trip', () => {
  const clock = new ServerClock(() => LOCAL);
  observe(clock, 1_000, 800);
  expect(clock.offset).toBe(1_000);
});

it('takes the median, so that one slow answer changes nothing', () => {
  const clock = new ServerClock(() => LOCAL);
  for (const offset of [100, 101, 9_000, 99, 100]) observe(clock, offset);
  expect(clock.offset).toBe(100);
});

it('takes the mean of the middle two of an even number', () => {
  const clock = new ServerClock(() => LOCAL);
  for (const offset of [10, 40, 20, 1_000]) observe(clock, offset);
  expect(clock.offset).toBe(30);
});

it('forgets all but the last five', () => {
  const clock = new ServerClock(() => LOCAL);
  for (const offset of [0, 0, 0, 500, 500, 500, 0, 500]) observe(clock, offset);
  expect(clock.offset).toBe(500);
});
