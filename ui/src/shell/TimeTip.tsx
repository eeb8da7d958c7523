// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef } from 'react';
import { exact } from '../parts/when';
import css from './TimeTip.module.css';

const ID = 'exact-time';
const GAP = 6;

/**
 * The exact instant of the time under the pointer, or with the focus, or that was tapped. There is
 * one for all times of a page, since a page has hundreds of them.
 */
export function TimeTip() {
  const tip = useRef<HTMLDivElement>(null);
  useEffect(() => (tip.current ? follow(tip.current) : undefined), []);
  return <div ref={tip} id={ID} role="tooltip" popover="manual" className={css.tip} />;
}

function follow(tip: HTMLElement): () => void {
  let shown: HTMLElement | null = null;
  const hide = () => {
    if (!shown) return;
    shown.removeAttribute('aria-describedby');
    shown = null;
    tip.hidePopover();
  };
  const show = (time: HTMLTimeElement) => {
    if (time === shown) return;
    hide();
    tip.textContent = exact(Date.parse(time.dateTime));
    tip.showPopover();
    place(tip, time.getBoundingClientRect());
    time.setAttribute('aria-describedby', ID);
    shown = time;
  };
  const reach = ({ target }: Event) => {
    if (tip === target) return;
    const time = target instanceof Element ? target.closest('time') : null;
    if (time) show(time);
    else hide();
  };
  const leave = ({ target }: Event) => {
    if (target === shown) hide();
  };
  const press = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') hide();
  };
  const events = [
    ['pointerover', reach], ['click', reach], ['focusin', reach], ['focusout', leave], ['scroll', hide],
  ] as const;
  for (const [name, listener] of events) document.addEventListener(name, listener, true);
  document.addEventListener('keydown', press);
  return () => {
    for (const [name, listener] of events) document.removeEventListener(name, listener, true);
    document.removeEventListener('keydown', press);
  };
}

/** Below the time, or above it where there is no room, and never outside the page. */
function place(tip: HTMLElement, time: DOMRect): void {
  const { width, height } = tip.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const below = time.bottom + GAP;
  const top = below + height > clientHeight ? time.top - height - GAP : below;
  tip.style.left = `${Math.max(GAP, Math.min(time.left, clientWidth - width - GAP))}px`;
  tip.style.top = `${Math.max(GAP, top)}px`;
}
