// SPDX-License-Identifier: Apache-2.0

/** "Tue 17 Nov 08:00" in the zone of a schedule; in the viewer's zone if there is none or it is unknown. */
export function zonedTime(at: number, zone?: string): string {
  return formatOf(zone).format(at).replace(',', '');
}

function formatOf(zone: string | undefined): Intl.DateTimeFormat {
  const options = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  try {
    return new Intl.DateTimeFormat('en-GB', zone ? { ...options, timeZone: zone } : options);
  } catch {
    return new Intl.DateTimeFormat('en-GB', options);
  }
}
