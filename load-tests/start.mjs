// `npm run bench` and `npm run soak` at the root: the program that the first argument names, on the Node that the repository pins.
import { spawnSync } from 'node:child_process'
import { install, node } from './install.mjs'

const args = process.argv.slice(2)
if (!args.includes('--help')) install()
const { status } = spawnSync(node, args, { cwd: import.meta.dirname, stdio: 'inherit' })
process.exit(status ?? 1)
