import { once } from 'node:events'
import { startTestCluster } from '@tollgate/testing/redis-cluster'
import { readCommandLine } from './support/command-line.ts'

/** `npm run redis:cluster` starts a Redis Cluster on this machine for `LEDGER_REDIS_URL` until it is interrupted. */
const { values } = readCommandLine({
  command: 'npm run redis:cluster --',
  about: 'Starts a Redis Cluster on this machine and prints its address and the ids of its processes as a line of JSON. Ctrl+C stops it.',
  example: 'npm run redis:cluster -- --masters 3 --replicas',
  options: {
    masters: { type: 'string', default: '3', about: 'number of masters' },
    replicas: { type: 'boolean', default: false, about: 'with a replica of each' },
  },
  args: process.argv.slice(2),
})

const cluster = await startTestCluster({ masters: Number(values.masters), hasReplicas: values.replicas, nodeTimeoutMs: 5000 })
const pids = (nodes: typeof cluster.masters): number[] => nodes.map((node) => node.pid())
process.stdout.write(`${JSON.stringify({ url: cluster.url, masters: pids(cluster.masters), replicas: pids(cluster.replicas) })}\n`)
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
await cluster.stop()
process.exit(0)
