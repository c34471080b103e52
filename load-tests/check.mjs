// `npm run check:load-tests` at the root: the types and the lint of this package, which has its own dependencies and k6's globals.
import { spawnSync } from 'node:child_process'
import { install } from './install.mjs'

install()
const { status } = spawnSync('npm', ['run', 'check', '--silent'], { cwd: import.meta.dirname, stdio: 'inherit' })
process.exit(status ?? 1)
