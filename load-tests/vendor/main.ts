import { fork } from 'node:child_process'
import { readCommandLine } from '../../tests/support/command-line.ts'
import { startVendor } from './server.ts'

const { values } = readCommandLine({
  command: 'npm run vendor --',
  about: 'Runs the vendor simulator in one or several processes on one port; prints one JSON line with its port and process ids.',
  example: 'npm run vendor -- --port 9000 --processes 2',
  options: {
    port: { type: 'string', default: '0', about: 'port to listen on; 0: a free one' },
    processes: { type: 'string', default: '1', about: 'number of processes that share the port' },
    host: { type: 'string', default: '127.0.0.1', about: 'address to listen on' },
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
