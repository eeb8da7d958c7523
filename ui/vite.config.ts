// SPDX-License-Identifier: Apache-2.0
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const api = process.env.PERDURE_API ?? 'http://127.0.0.1:8085';

/** Everything outside /ui/ is the API. The server checks Host and Origin, so both become its own. */
const proxy = {
  '^/(?!ui(/|$))': { target: api, changeOrigin: true, headers: { origin: api } },
};

export default defineConfig({
  base: '/ui/',
  plugins: [react()],
  server: { host: '127.0.0.1', proxy },
  preview: { host: '127.0.0.1', proxy },
  // An inlined asset would be a data: URL, which the content security policy allows for images only.
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  test: { environment: 'node', include: ['src/**/*.test.{ts,tsx}'] },
});
