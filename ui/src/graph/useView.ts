// SPDX-License-Identifier: Apache-2.0
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { begin, contains, FAR, fit, pan, visible, zoomAt } from './view';
import type { Rect, Size, View } from './view';

/** How far beyond the screen nodes are drawn, as a share of the screen. */
const MARGIN = 0.5;

/** What must be drawn: it changes far less often than the view itself. */
export interface Frame {
  readonly rect: Rect;
  readonly far: boolean;
  readonly scale: number;
}

export interface ViewControl {
  readonly frame: Frame;
  change(next: (view: View, screen: Size) => View): void;
  /** The point of the graph under a point of the page. */
  pointAt(clientX: number, clientY: number): { x: number; y: number };
}

function frameOf(view: View, screen: Size): Frame {
  return { rect: visible(view, screen, MARGIN), far: view.scale < FAR, scale: view.scale };
}

/**
 * Pan and zoom. The view is written straight to the drawing's transform; React draws again only
 * when the drawn part no longer covers the screen or the level of detail changes.
 */
export function useView(svg: RefObject<SVGSVGElement | null>, drawing: RefObject<SVGGElement | null>, graph: Size): ViewControl {
  const view = useRef<View>({ x: 0, y: 0, scale: 1 });
  const [frame, setFrame] = useState<Frame>(() => frameOf(view.current, { width: 1_200, height: 600 }));
  const drawn = useRef(frame);
  /** The first view, as long as nobody has moved it: then it follows the size of the screen. */
  const untouched = useRef<View | null>(null);
  const size = useRef(graph);
  useEffect(() => {
    size.current = graph;
  });

  const control = useMemo(() => {
    const screen = () => ({ width: svg.current?.clientWidth || 1_200, height: svg.current?.clientHeight || 600 });
    let waiting = 0;
    const apply = () => {
      waiting = 0;
      const { x, y, scale } = view.current;
      drawing.current?.setAttribute('transform', `translate(${x} ${y}) scale(${scale})`);
      const { far, rect, scale: before } = drawn.current;
      if (before === scale && far === scale < FAR && contains(rect, visible(view.current, screen()))) return;
      drawn.current = frameOf(view.current, screen());
      setFrame(drawn.current);
    };
    return {
      apply,
      begin: () => {
        view.current = begin(size.current, screen());
        untouched.current = view.current;
        waiting ||= requestAnimationFrame(apply);
      },
      change: (next: (now: View, size: Size) => View) => {
        view.current = next(view.current, screen());
        waiting ||= requestAnimationFrame(apply);
      },
      pointAt: (clientX: number, clientY: number) => {
        const box = svg.current?.getBoundingClientRect();
        const { x, y, scale } = view.current;
        return { x: (clientX - (box?.left ?? 0) - x) / scale, y: (clientY - (box?.top ?? 0) - y) / scale };
      },
    };
  }, [svg, drawing]);

  useLayoutEffect(() => {
    control.begin();
    control.apply();
  }, [control]);

  useEffect(() => {
    const element = svg.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => (untouched.current === view.current ? control.begin() : control.change((now) => now)));
    observer.observe(element);
    const stop = followPointers(element, control.change);
    return () => {
      observer.disconnect();
      stop();
    };
  }, [svg, control]);

  return { frame, change: control.change, pointAt: control.pointAt };
}

export function fitView(graph: Size) {
  return (_: View, screen: Size) => fit(graph, screen);
}

/** Zooms around the middle of the screen. */
export function zoomView(factor: number) {
  return (view: View, screen: Size) => zoomAt(view, factor, screen.width / 2, screen.height / 2);
}

/** Drag and wheel move; two fingers, Ctrl or Cmd with the wheel zoom. */
function followPointers(element: SVGSVGElement, change: ViewControl['change']): () => void {
  const held = new Map<number, { x: number; y: number }>();
  const spread = () => {
    const [one, two] = [...held.values()];
    if (!one || !two) return null;
    const box = element.getBoundingClientRect();
    return { apart: Math.hypot(one.x - two.x, one.y - two.y), x: (one.x + two.x) / 2 - box.left, y: (one.y + two.y) / 2 - box.top };
  };
  let dragged = false;
  const down = (event: PointerEvent) => {
    dragged = false;
    if (event.button === 0) held.set(event.pointerId, { x: event.clientX, y: event.clientY });
  };
  const move = (event: PointerEvent) => {
    const last = held.get(event.pointerId);
    if (!last) return;
    const before = spread();
    const now = { x: event.clientX, y: event.clientY };
    // A click with a trembling hand is still a click: the pointer is captured after 4 px only.
    if (!element.hasPointerCapture(event.pointerId)) {
      if (Math.hypot(now.x - last.x, now.y - last.y) < 4) return;
      element.setPointerCapture(event.pointerId);
      dragged = true;
    }
    held.set(event.pointerId, now);
    const after = spread();
    if (before && after) change((view) => zoomAt(view, after.apart / Math.max(1, before.apart), after.x, after.y));
    else change((view) => pan(view, now.x - last.x, now.y - last.y));
  };
  const up = (event: PointerEvent) => held.delete(event.pointerId);
  // The end of a drag is not a click.
  const click = (event: MouseEvent) => dragged && event.stopPropagation();
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const unit = event.deltaMode === 0 ? 1 : 20;
    const box = element.getBoundingClientRect();
    if (event.ctrlKey || event.metaKey) {
      change((view) => zoomAt(view, Math.exp(-event.deltaY * unit * 0.005), event.clientX - box.left, event.clientY - box.top));
    } else change((view) => pan(view, -event.deltaX * unit, -event.deltaY * unit));
  };
  element.addEventListener('pointerdown', down);
  element.addEventListener('pointermove', move);
  element.addEventListener('pointerup', up);
  element.addEventListener('pointercancel', up);
  element.addEventListener('click', click, true);
  element.addEventListener('wheel', wheel, { passive: false });
  return () => {
    element.removeEventListener('pointerdown', down);
    element.removeEventListener('pointermove', move);
    element.removeEventListener('pointerup', up);
    element.removeEventListener('pointercancel', up);
    element.removeEventListener('click', click, true);
    element.removeEventListener('wheel', wheel);
  };
}
