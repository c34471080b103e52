// Entry point of `npm start`, `npm test` and `npm run dev`. Plain JavaScript for Node 20: installs missing or stale dependencies,
// then runs main.ts with the Node version among them. Only the tests need all of them: a first start installs two thirds.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
const OLDEST_NODE = 20

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE)
  fail(`Node ${OLDEST_NODE} or newer is needed, this is ${process.versions.node}`)
const args = process.argv.slice(2)
const present = readPackages(join(root, 'node_modules/.package-lock.json'))
// What a developer has stays.
const needsAll = args[0] === 'test' || Object.values(present ?? {}).some(({ dev }) => dev === true)
if (isStale({ withDev: false })) install('ci')
// Services may be running from this folder, and `npm ci` would remove it first.
else if (needsAll && isStale({ withDev: true })) install('install', '--no-save')
handOver(args)

/** True if node_modules differs from package-lock.json, with the development dependencies or without. */
function isStale({ withDev }) {
  const wanted = readPackages(join(root, 'package-lock.json'))
  if (wanted === undefined) fail('package-lock.json is missing or unreadable: is this a complete clone?')
  if (present === undefined || !existsSync(nodeBinary())) return true
  return Object.entries(wanted).some(([path, { version, link, optional, peer, dev, devOptional }]) => {
    if (!path.includes('node_modules/') || link === true || optional === true || peer === true) return false
    if (!withDev && (dev === true || devOptional === true)) return false
    return present[path]?.version !== version
  })
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    // Absent and broken files are the same to the caller.
    return undefined
  }
}

function install(name, ...options) {
  console.log(`installing dependencies (npm ${name}) …`)
  const npm = process.env.npm_execpath
  const [command, args] = npm === undefined ? ['npm', []] : [process.execPath, [npm]]
  const done = spawnSync(
    command,
    [...args, name, ...options, needsAll ? '--include=dev' : '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  )
  if (done.status !== 0) fail(`npm ${name} failed, see above`)
  if (!existsSync(nodeBinary())) fail('npm did not install Node: install scripts must be allowed for the package "node"')
}

function nodeBinary() {
  return join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')
}

function handOver(args) {
  // With compiled modules of the launcher its Node loads no compiler of TypeScript, which takes 20 MB.
  const compiled = args[0] === 'test' ? {} : { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/tollgate-launcher') }
  const env = {
    ...compiled,
    ...process.env,
    PATH: [join(root, 'node_modules/.bin'), process.env.PATH ?? ''].filter((part) => part !== '').join(':'),
  }
  // The IPC channel closes when this process is killed; main.ts then stops everything in order.
  const child = spawn(nodeBinary(), ['--max-semi-space-size=1', join(root, 'deploy/standalone/src/main.ts'), ...args], {
    cwd: root,
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 130)))
  child.on('error', (error) => fail(`Node could not be started: ${error.message}`))
  watchParent(child)
}

/** Stops when npm or the shell in between was killed without sending a signal. */
function watchParent(child) {
  if (process.env.npm_lifecycle_event === undefined || process.ppid === 1) return
  const before = ancestors()
  setInterval(() => ancestors() !== before && child.kill('SIGTERM'), 1000).unref()
}

function ancestors() {
  try {
    const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8')
    return `${process.ppid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]}`
  } catch {
    // No /proc on this system.
    return String(process.ppid)
  }
}

function fail(reason) {
  console.error(`tollgate: ${reason}`)
  process.exit(1)
}
