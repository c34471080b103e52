import { fork } from 'node:child_process'
import { parseArgs } from 'node:util'
import { startVendor } from './server.ts'

/**
 * `node vendor/main.ts [--port N] [--processes N] [--host ADDRESS]` runs the simulator in one or several processes on one port (SO_REUSEPORT),
 * by default on 127.0.0.1. Prints one JSON line with its port and process ids.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    processes: { type: 'string', default: '1' },
    host: { type: 'string', default: '127.0.0.1' },
  },
})

const { port } = await startVendor(Number(values.port), values.host)
const others = Array.from({ length: Number(values.processes) - 1 }, () =>
  fork(import.meta.filename, ['--port', String(port), '--host', values.host], { stdio: 'ignore' }),
)
process.on('exit', () => {
  for (const child of others) child.kill('SIGKILL')
})
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => process.exit(0))
process.stdout.write(`${JSON.stringify({ port, pids: [process.pid, ...others.map(({ pid }) => pid ?? 0)] })}\n`)
