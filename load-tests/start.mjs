// `npm run bench` at the root: installs what the load tests need once, and runs the bench on the Node that the repository pins.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const here = import.meta.dirname
const node = join(here, '../node_modules/node/bin/node')
if (!existsSync(node)) throw new Error('run `npm ci` at the root first: the bench needs the Node that is pinned there')
if (!existsSync(join(here, 'node_modules'))) {
  const installed = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: here,
    stdio: 'inherit',
  })
  if (installed.status !== 0) process.exit(installed.status ?? 1)
}
const { status } = spawnSync(node, ['bench/main.ts', ...process.argv.slice(2)], { cwd: here, stdio: 'inherit' })
process.exit(status ?? 1)
