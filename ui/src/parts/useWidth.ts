// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect, useState } from 'react';
import type { RefObject } from 'react';

/** The width of an element, and again whenever it changes. */
export function useWidth(ref: RefObject<Element | null>, initial = 640): number {
  const [width, setWidth] = useState(initial);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth) || initial));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref, initial]);
  return width;
}
