import { parentPort, workerData } from 'node:worker_threads'
import { createSealer, unsealOption } from '@tollgate/config/sealing'
import { DEFAULT_QUOTA_PER_UNIT } from '@tollgate/contracts/units'
import type { LogStore } from '@tollgate/db/log-store'
import { openLogStore } from '@tollgate/log-store/open'
import { connectDb } from '@tollgate/db/connect'
import { createOptionReader } from '@tollgate/db/option-reader'
import { STATEMENT_LIMITS } from '@tollgate/db/statement-limits'
import { openSource } from '@tollgate/moving-in/open-source'
import { toLine } from '@tollgate/telemetry/error-line'
import { failureOf, withoutSecrets } from './failure.ts'
import { guardedConnect } from './guarded-connect.ts'
import { runImport } from './run-import.ts'
import type { FromThread, ThreadData } from './thread-messages.ts'

/** Entry of the thread of an import that the console started: its reads of a file are synchronous, and its rows are many. */
// Passed by the runner.
const { env, version, own, source: from, wishes, isDryRun } = workerData as ThreadData
const stop = new AbortController()
parentPort?.on('message', () => stop.abort())

const db = connectDb({ url: env.DATABASE_URL, max: 3, name: 'tollgate-import', limits: STATEMENT_LIMITS.batch })
let logStore: LogStore | undefined
let end: FromThread
try {
  end = await run()
} catch (error) {
  end = stop.signal.aborted
    ? { kind: 'cancelled' }
    : { kind: 'failed', failure: failureOf(error), text: withoutSecrets(toLine(error), from.kind === 'address' ? from.at : '') }
}
await logStore?.close()
await db.destroy()
send(end)
parentPort?.close()

async function run(): Promise<FromThread> {
  logStore = await openLogStore({ url: env.LOG_STORE_URL, db, now: Date.now })
  const sealers = { channels: createSealer(env.KEY_CHANNELS), options: createSealer(env.KEY_OPTIONS) }
  const deps = { db, env, sealers, options: createOptionReader(db, unsealOption(sealers.options)), now: Date.now, version }
  const source = await openSource(from.at, {
    // A configuration must not read this service's environment, in which its keys are.
    env: {},
    now: Math.floor(Date.now() / 1000),
    unlimitedAs: Math.round(wishes.unlimited_as * DEFAULT_QUOTA_PER_UNIT),
    ...(from.kind === 'address' ? { connect: guardedConnect(own) } : {}),
  })
  try {
    stop.signal.throwIfAborted()
    const report = await runImport(deps, source, {
      name: wishes.name || (source.store === 'yaml' ? `${source.family}-config` : source.family),
      isDryRun,
      merge: wishes.merge,
      keep: wishes.keep,
      only: wishes.only.length === 0 ? undefined : wishes.only,
      logDays: wishes.log_days,
      signal: stop.signal,
      onProgress: (progress) => send({ kind: 'progress', progress }),
    })
    return { kind: 'finished', report }
  } finally {
    await source.close()
  }
}

function send(message: FromThread): void {
  parentPort?.postMessage(message)
}
