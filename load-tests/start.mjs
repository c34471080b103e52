// `npm run bench` and `npm run soak` at the root: the program that the first argument names, on the Node that the repository pins.
import { spawnSync } from 'node:child_process'
import { install, node } from './install.mjs'

install()
const { status } = spawnSync(node, process.argv.slice(2), { cwd: import.meta.dirname, stdio: 'inherit' })
process.exit(status ?? 1)
