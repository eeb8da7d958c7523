// SPDX-License-Identifier: Apache-2.0
import { layOutGraph } from './layout';
import type { LayoutRequest } from './layout';

/** Answers each request once, with the layout or with the reason why there is none. */
self.onmessage = ({ data }: MessageEvent<LayoutRequest>) => {
  try {
    self.postMessage({ layout: layOutGraph(data) });
  } catch (error) {
    self.postMessage({ error: String(error) });
  }
};
