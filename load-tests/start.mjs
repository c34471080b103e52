// `npm run bench` at the root: the bench on the Node that the repository pins.
import { spawnSync } from 'node:child_process'
import { install, node } from './install.mjs'

install()
const { status } = spawnSync(node, ['bench/main.ts', ...process.argv.slice(2)], { cwd: import.meta.dirname, stdio: 'inherit' })
process.exit(status ?? 1)
