import { parseEnv, WorkerEnv } from '@tollgate/config/env'
import { startWorker } from './app.ts'

/** The worker process: reads its environment, starts, and stops in order on SIGTERM or SIGINT. */
try {
  const worker = await startWorker(parseEnv(WorkerEnv), refuseProbe)
  const stop = (): void => {
    worker.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
} catch (error) {
  fail(error)
}

function fail(error: unknown): never {
  process.stderr.write(`worker: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

/** Replaced by the probe of the upstream room as soon as it is there. */
async function refuseProbe(): Promise<never> {
  throw new Error('channel tests are not built in yet')
}
