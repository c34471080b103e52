import { parseEnv, RelayEnv } from '@tollgate/config/env'
import { toLine } from '@tollgate/telemetry/error-line'
import { createLogger } from '@tollgate/telemetry/logger'
import { canSharePort, superviseProcesses } from './processes/supervisor.ts'

async function start(): Promise<void> {
  const env = parseEnv(RelayEnv)
  if (env.RELAY_PROCESS_SLOT !== undefined || env.RELAY_PROCESSES === 1) return await runProcess(env)
  const log = createLogger({ service: 'relay', level: env.LOG_LEVEL })
  if (!canSharePort) {
    log.warn({}, 'RELAY_PROCESSES is ignored: this system cannot spread connections over several processes')
    return await runProcess(env)
  }
  await superviseProcesses(env.RELAY_PROCESSES, { host: env.RELAY_HOST, port: env.RELAY_PORT }, log)
}

/** Loaded where it runs: in the supervisor it would hold 90 MB. */
async function runProcess(env: RelayEnv): Promise<void> {
  const relay = await import('./process.ts')
  await relay.runProcess(env)
}

start().catch((error: unknown) => {
  process.stderr.write(`${toLine(error)}\n`)
  process.exit(1)
})
