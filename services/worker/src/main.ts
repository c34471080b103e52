import { parseEnv, WorkerEnv } from '@tollgate/config/env'
import { STORE_AWAY } from '@tollgate/config/exit-code'
import { isStoreUnavailable } from '@tollgate/contracts/app-error'
import { startWorker } from './app.ts'
import { toLine } from '@tollgate/telemetry/error-line'
import { watchEventLoop } from '@tollgate/telemetry/watchdog/watchdog'

/** The worker process: reads its environment, starts, and stops gracefully on SIGTERM or SIGINT. */
// A bug: the supervisor starts the worker again, and every job and posting is safe to repeat.
process.once('unhandledRejection', (reason) => fail(reason))

try {
  const env = parseEnv(WorkerEnv)
  const worker = await startWorker(env)
  watchEventLoop('worker', env.EVENT_LOOP_TIMEOUT)
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
  process.stderr.write(`worker: ${toLine(error)}\n`)
  process.exit(isStoreUnavailable(error) ? STORE_AWAY : 1)
}
