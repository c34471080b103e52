// Compares the calls of the official SDKs with those that the table of docs/generated/sdk-calls.md lists: `npm run check:sdks`.
// With `--newest` it installs the newest versions in a folder of its own first; with `--write` it takes what it found into the table.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCalls, SDKS, type Sdk } from './sdk-calls/read-calls.ts'
import { listed, LISTED_FILE, type Listed } from './sdk-calls/listed.ts'

const root = join(import.meta.dirname, '..')
const isNewest = process.argv.includes('--newest')
const folder = isNewest ? mkdtempSync(join(tmpdir(), 'tollgate-sdks-')) : root
try {
  if (isNewest) install(folder)
  const modules = join(folder, 'node_modules')
  const found: Listed = { versions: versionsIn(modules), calls: readCalls(modules) }
  report(found)
  if (process.argv.includes('--write')) writeFileSync(LISTED_FILE, render(found))
} finally {
  if (isNewest) rmSync(folder, { recursive: true, force: true })
}

function install(target: string): void {
  writeFileSync(join(target, 'package.json'), '{"private":true}')
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...Object.values(SDKS)], { cwd: target, stdio: 'inherit' })
}

function versionsIn(modules: string): Listed['versions'] {
  const versions = Object.entries(SDKS).map(([sdk, name]) => {
    const { version } = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')) as { version: string } // a package's manifest
    return [sdk, version] as const
  })
  return Object.fromEntries(versions) as Record<Sdk, string> // the entries of SDKS
}

/** The exit code says whether there is anything new. */
function report({ versions, calls }: Listed): void {
  const known = new Set(listed.calls.map(keyOf))
  const now = new Set(calls.map(keyOf))
  const added = calls.filter((call) => !known.has(keyOf(call)))
  const gone = listed.calls.filter((call) => !now.has(keyOf(call)))
  const named = Object.entries(versions).map(([sdk, version]) => `${sdk} ${version} (listed: ${listed.versions[sdk as Sdk]})`) // keys of SDKS
  console.log(named.join(', '))
  for (const call of added) console.log(`new: ${keyOf(call)}`)
  for (const call of gone) console.log(`gone: ${keyOf(call)}`)
  if (added.length + gone.length === 0) console.log('The table lists every call.')
  // Pinned SDKs are older than the table.
  else if (isNewest) process.exitCode = 1
}

/** A line per call, so that a change of one is a line of the diff. */
function render({ versions, calls }: Listed): string {
  const lines = calls.map((call) => `    ${JSON.stringify(call)}`).join(',\n')
  return `{\n  "versions": ${JSON.stringify(versions)},\n  "calls": [\n${lines}\n  ]\n}\n`
}

function keyOf({ sdk, call, method, path }: Listed['calls'][number]): string {
  return `${sdk} ${call}: ${method} ${path}`
}
