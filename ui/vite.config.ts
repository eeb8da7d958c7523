// SPDX-License-Identifier: Apache-2.0
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const api = process.env.PERDURE_API ?? 'http://127.0.0.1:8085';

/** Everything outside /ui/ is the API. The server checks Host and Origin, so both become its own. */
const proxy = {
  '^/(?!ui(/|$))': { target: api, changeOrigin: true, headers: { origin: api } },
};

/** The policy that the server will send with the shell, so that `preview` shows what it would refuse. */
const policy = [
  "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
  "worker-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
  "require-trusted-types-for 'script'", 'trusted-types perdure',
].join('; ');

export default defineConfig({
  base: '/ui/',
  plugins: [react()],
  server: { host: '127.0.0.1', proxy },
  preview: { host: '127.0.0.1', proxy, headers: { 'Content-Security-Policy': policy } },
  // An inlined asset would be a data: URL, which the content security policy allows for images only.
  // Scripts name other files relative to themselves, so that they work under any prefix.
  experimental: { renderBuiltUrl: (_name, { hostType }) => (hostType === 'html' ? undefined : { relative: true }) },
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  test: { environment: 'node', include: ['src/**/*.test.{ts,tsx}'], setupFiles: ['src/testSetup.ts'], testTimeout: 60_000 },
});
