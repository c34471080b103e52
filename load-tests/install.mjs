// Plain JavaScript for Node 20: installs what the load tests need when it is missing or stale; they have a lock of their own.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const here = import.meta.dirname

/** The Node that the repository pins. */
export const node = join(here, '../node_modules/node/bin/node')

export function install() {
  if (!existsSync(node)) throw new Error('run `npm ci` at the root first: the load tests need what is pinned there')
  if (!isStale()) return
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: here,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}

function isStale() {
  const present = packagesOf('node_modules/.package-lock.json')
  return Object.entries(packagesOf('package-lock.json')).some(
    ([path, { version, optional, peer }]) => path !== '' && !optional && !peer && present[path]?.version !== version,
  )
}

function packagesOf(file) {
  const path = join(here, file)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {}
}
