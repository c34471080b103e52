import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from '@tollgate/servers/free-port'
import { startModelServer } from '../../deploy/standalone/src/demo/model-server.ts'
import { seedDemo } from '../../deploy/standalone/src/demo/demo.ts'
import { log } from '../../deploy/standalone/src/machine/log.ts'
import { createStateDir, findPaths } from '../../deploy/standalone/src/machine/paths.ts'
import { buildConsole } from '../../deploy/standalone/src/processes/console-build.ts'
import { createLifecycle, type Lifecycle } from '../../deploy/standalone/src/processes/lifecycle.ts'
import { readCommandLine } from '../support/command-line.ts'
import { startWholeCluster, type WholeCluster } from './start-cluster.ts'

/** `npm run cluster` starts a whole cluster on this machine, with a local model server, until it is interrupted. */
const { values } = readCommandLine({
  command: 'npm run cluster --',
  about:
    'Starts a Redis Cluster with replicas, Postgres with a standby behind PgBouncer, several services of each kind and a balancer on this machine, with empty stores and a demo account. Ctrl-C stops all in order and removes the data.',
  example: 'npm run cluster -- --relays 4 --port 3000',
  options: {
    port: { type: 'string', default: '0', about: 'public port; 0: any free one' },
    masters: { type: 'string', default: '3', about: 'Redis masters, each with a replica' },
    relays: { type: 'string', default: '4', about: 'relay processes' },
    workers: { type: 'string', default: '2', about: 'workers' },
    'control-planes': { type: 'string', default: '2', about: 'control planes' },
  },
})

const lifecycle = createLifecycle()
process.exitCode = await lifecycle.run(() => begin(lifecycle))

async function begin({ add, signal }: Lifecycle): Promise<void> {
  const started = Date.now()
  const size = {
    masters: Number(values.masters),
    relays: Number(values.relays),
    workers: Number(values.workers),
    controlPlanes: Number(values['control-planes']),
  }
  const paths = await findPaths({ TOLLGATE_STATE_DIR: '' })
  await createStateDir(paths)
  const models = await startModelServer(await findFreePort())
  add({ name: 'the model server', stop: models.stop })
  const consoleDir = await buildConsole(paths, signal)
  log('starting the stores and services …')
  const cluster = await startWholeCluster({ size, port: Number(values.port), consoleDir, add })
  signal.throwIfAborted()
  await seedDemo({ ...paths, stateDir: cluster.dir }, cluster.url, models.url)
  await describe(cluster)
  log(`The cluster is ready: ${cluster.url}  (after ${((Date.now() - started) / 1000).toFixed(1)} s; Ctrl-C stops it)`)
}

/** Prints every address, and writes the variables for commands such as verify:ledger. */
async function describe({ services, redis, env, dir }: WholeCluster): Promise<void> {
  for (const { name, url, pid } of services) log(`  ${name.padEnd(16)} ${url}  pid ${pid}`)
  log(`  redis            ${env['REDIS_URL']}`)
  log(`  ledger           ${env['LEDGER_REDIS_URL']}  pids ${redis.masters.join(', ')}; replicas ${redis.replicas.join(', ')}`)
  log(`  postgres         ${env['DATABASE_URL']} (PgBouncer), standby ${env['DATABASE_REPLICA_URL']}`)
  log(`  logs             ${join(dir, 'log')}`)
  const file = join(dir, 'env')
  await writeFile(
    file,
    Object.entries(env)
      .map(([name, value]) => `${name}='${value}'\n`)
      .join(''),
    { mode: 0o600 },
  )
  log(`  commands         set -a; . ${file}; set +a; npm run verify:ledger`)
}
