// SPDX-License-Identifier: Apache-2.0
// Builds the dashboard into target/web, with a .gz of each file and a list of them. Does nothing if
// neither the sources nor openapi.yaml have changed since the last build that succeeded.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const API = '../server/src/main/resources/dev/perdure/server/api/reference/openapi.yaml';
const INSTALLED_FROM = ['package.json', 'package-lock.json', '.npmrc'];
const BUILT_FROM = [...INSTALLED_FROM, 'index.html', 'vite.config.ts', 'tsconfig.json', 'budget.mjs', 'build.mjs'];

const withTests = process.argv[2] !== 'skipTests=true';

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function digestOf(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const content = readFileSync(file);
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** Runs the steps unless they have succeeded with this digest before. */
function unlessDone(stamp, digest, steps) {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  rmSync(stamp, { force: true });
  steps();
  writeFileSync(stamp, digest);
}

function npm(...args) {
  console.log(`npm ${args.join(' ')}`);
  const { status, error } = spawnSync('npm', args, { stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) {
    console.error(`The dashboard cannot be built: 'npm ${args.join(' ')}' in ui/ failed. Leave it out with -DskipUi.`);
    process.exit(1);
  }
}

function install() {
  unlessDone('node_modules/.installed', digestOf(INSTALLED_FROM), () => npm('ci', '--no-progress'));
}

/** The server answers with files of this list only. */
function copy() {
  rmSync('target/web', { recursive: true, force: true });
  cpSync('dist', 'target/web', { recursive: true });
  const files = filesIn('target/web');
  for (const file of files) writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
  writeFileSync('target/web/files.txt', files.map((file) => `${file.slice('target/web/'.length)}\n`).join(''));
}

mkdirSync('target', { recursive: true });
const sources = filesIn('src').filter((file) => !file.endsWith('schema.d.ts'));
const digest = digestOf([...BUILT_FROM, ...sources, API]);
if (withTests) {
  unlessDone('target/checked', digest, () => {
    install();
    npm('run', '--silent', 'check');
    npm('test', '--silent');
  });
}
if (!existsSync('target/web/files.txt')) rmSync('target/built', { force: true });
unlessDone('target/built', digest, () => {
  install();
  npm('run', '--silent', 'build');
  copy();
});
