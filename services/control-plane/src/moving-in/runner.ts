import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { gunzip, gzip } from 'node:zlib'
import { ownAddresses } from '@tollgate/config/own-addresses'
import { sealedBy } from '@tollgate/config/sealing'
import { AppError, textOf } from '@tollgate/contracts/app-error'
import { errors, type ErrorCode } from '@tollgate/contracts/errors'
import { ErrorParams } from '@tollgate/contracts/errors/params'
import { ImportReport } from '@tollgate/contracts/moving-in/report'
import { IMPORT_SOURCE_HOURS, ImportRun, type ImportWishes } from '@tollgate/contracts/resources/imports'
import type { Language } from '@tollgate/http/language'
import {
  cancelImportRun,
  continueImportRun,
  dropImportRun,
  dropImportSource,
  endImportRun,
  keepImportSource,
  latestImportId,
  readImportReportOf,
  readImportRun,
  readImportSource,
  saveImportReportOf,
  saveImportRun,
  startImportRun,
} from '@tollgate/redis/stores/import-run'
import { z } from 'zod'
import { recordAudit, type By } from '../audit.ts'
import { nowSeconds, type Deps } from '../deps.ts'
import { removeFile } from './console-files.ts'
import { ownPlaces } from './guarded-connect.ts'
import { checkKept } from './options.ts'
import type { FromThread, ImportSource, ThreadData } from './thread-messages.ts'

const LOOK_MS = 1000
/** A thread that does not stop by itself is ended. */
const STOP_MS = 5000

/** An import as Redis has it; its failure is a code, which each reader gets in the own language. */
const StoredRun = ImportRun.omit({ has_source: true, failure: true }).extend({
  source_id: z.string(),
  failure: z.object({ code: z.string(), params: ErrorParams }).nullable(),
})
type StoredRun = z.infer<typeof StoredRun>

const StoredSource = z.object({ kind: z.enum(['address', 'file']), at: z.string(), shown: z.string() })

/** Keeps an address or the path of a file for a day, sealed and outside Postgres and its backups. */
export async function keepSource(deps: Deps, source: ImportSource): Promise<string> {
  const id = randomUUID()
  const sealed = deps.sealers.options.seal(JSON.stringify(source), sealedBy.importSource(id))
  await keepImportSource(deps.redis, id, sealed, IMPORT_SOURCE_HOURS * 3600)
  return id
}

async function findSource(deps: Deps, id: string): Promise<ImportSource | undefined> {
  const sealed = await readImportSource(deps.redis, id)
  if (sealed === undefined) return undefined
  try {
    return StoredSource.parse(JSON.parse(deps.sealers.options.unseal(sealed, sealedBy.importSource(id))))
  } catch {
    // Sealed with a key that was replaced since.
    return undefined
  }
}

async function findRun(deps: Deps, id: string): Promise<StoredRun | undefined> {
  const found = await readImportRun(deps.redis, id)
  const run = found === undefined ? undefined : StoredRun.safeParse(found.record).data
  if (run === undefined || found === undefined) return undefined
  return run.state === 'running' && !found.isAlive ? { ...run, state: 'interrupted' } : run
}

async function shown(deps: Deps, { source_id, failure, ...run }: StoredRun, language: Language): Promise<ImportRun> {
  const text = failure === null ? '' : textOf(codeOf(failure.code), language, failure.params)
  return { ...run, has_source: (await readImportSource(deps.redis, source_id)) !== undefined, failure: text }
}

/** An older version may have written a code that is gone. */
const codeOf = (code: string): ErrorCode => (Object.hasOwn(errors, code) ? (code as ErrorCode) : 'import.failed') // it is a key of the table

export async function latestRun(deps: Deps, language: Language): Promise<ImportRun | null> {
  const id = await latestImportId(deps.redis)
  const run = id === undefined ? undefined : await findRun(deps, id)
  return run === undefined ? null : await shown(deps, run, language)
}

export async function reportOf(deps: Deps, id: string): Promise<ImportReport | undefined> {
  const bytes = await readImportReportOf(deps.redis, id)
  return bytes === undefined ? undefined : ImportReport.parse(JSON.parse((await promisify(gunzip)(bytes)).toString()))
}

type Start = { readonly source_id: string; readonly wishes: ImportWishes; readonly isDryRun: boolean }

/** Starts an import in a thread of this process; it is refused while another one is under way. */
export async function startRun(deps: Deps, by: By, start: Start, language: Language): Promise<ImportRun> {
  const { source_id, wishes, isDryRun } = start
  checkKept(wishes.keep)
  const source = await findSource(deps, source_id)
  if (source === undefined) throw new AppError('import.source-gone')
  const run: StoredRun = {
    id: randomUUID(),
    state: 'running',
    is_dry_run: isDryRun,
    wishes,
    source: source.shown,
    source_id,
    progress: [],
    started_by: by.actor.username,
    started_at: nowSeconds(deps),
    finished_at: 0,
    failure: null,
  }
  if (!(await startImportRun(deps.redis, run.id, run))) throw new AppError('import.running')
  const changes = [
    { field: 'source', after: source.shown },
    { field: 'is_dry_run', after: String(isDryRun) },
    ...Object.entries(wishes).map(([field, value]) => ({ field, after: String(value) })),
  ]
  try {
    await deps.db
      .transaction()
      .execute((tx) => recordAudit(deps, tx, by, [{ action: 'start', resource: 'import', resource_id: run.id, changes }]))
    new RunningImport(deps, run, source)
  } catch (error) {
    await endImportRun(deps.redis, run.id)
    throw error
  }
  return await shown(deps, run, language)
}

/** Starts a further run with the source and the choices of an earlier one, except for settings that are left out now. */
export async function runAgain(
  deps: Deps,
  by: By,
  { id, isDryRun, keep }: { readonly id: string; readonly isDryRun: boolean; readonly keep: readonly string[] | undefined },
  language: Language,
) {
  const run = await findRun(deps, id)
  if (run === undefined) throw new AppError('import.gone')
  const wishes = keep === undefined ? run.wishes : { ...run.wishes, keep: [...keep] }
  return await startRun(deps, by, { source_id: run.source_id, wishes, isDryRun }, language)
}

export async function cancelRun(deps: Deps, by: By, id: string): Promise<void> {
  if ((await findRun(deps, id)) === undefined) throw new AppError('import.gone')
  await cancelImportRun(deps.redis, id)
  await deps.db.transaction().execute((tx) => recordAudit(deps, tx, by, [{ action: 'cancel', resource: 'import', resource_id: id }]))
}

export async function forgetRun(deps: Deps, id: string): Promise<void> {
  const run = await findRun(deps, id)
  if (run === undefined) throw new AppError('import.gone')
  if (run.state === 'running') throw new AppError('import.running')
  await dropSource(deps, run.source_id)
  await dropImportRun(deps.redis, id)
}

async function dropSource(deps: Deps, id: string): Promise<void> {
  const source = await findSource(deps, id)
  await dropImportSource(deps.redis, id)
  if (source?.kind === 'file') await removeFile(source.at)
}

/** An import in a thread of this process; its progress and its end are written to Redis. */
class RunningImport {
  readonly #deps: Deps
  readonly #source: ImportSource
  readonly #thread: Worker
  readonly #timer: NodeJS.Timeout
  #run: StoredRun
  #written: StoredRun
  #end: FromThread | undefined
  #stoppedAt: number | undefined

  constructor(deps: Deps, run: StoredRun, source: ImportSource) {
    const { env, version, log, stopping } = deps
    this.#deps = deps
    this.#source = source
    this.#run = run
    this.#written = run
    const data: ThreadData = {
      env,
      version,
      own: ownPlaces(ownAddresses(env)),
      source,
      wishes: run.wishes,
      isDryRun: run.is_dry_run,
    }
    // Drivers complete an address from the environment of their process.
    this.#thread = new Worker(new URL('thread.ts', import.meta.url), { name: 'import', env: {}, execArgv: [], workerData: data })
    this.#thread.unref()
    this.#timer = setInterval(() => void this.#look(), LOOK_MS)
    const onStopping = (): void => void this.#thread.terminate()
    stopping.addEventListener('abort', onStopping, { once: true })
    this.#thread.on('message', (message: FromThread) => {
      if (message.kind === 'progress') this.#run = withProgress(this.#run, message.progress)
      else this.#end = message
    })
    this.#thread.on('error', (error) => log.error({ err: error }, 'the thread of an import failed'))
    this.#thread.once('exit', () => {
      clearInterval(this.#timer)
      stopping.removeEventListener('abort', onStopping)
      this.#finish().catch((error: unknown) => log.error({ err: error }, 'end of an import not written'))
    })
  }

  /** Keeps the lock, writes the progress, and stops the thread when that was asked for. */
  async #look(): Promise<void> {
    const { redis, log } = this.#deps
    try {
      if (!(await continueImportRun(redis, this.#run.id))) this.#stop()
      if (this.#run === this.#written || this.#end !== undefined) return
      this.#written = this.#run
      await saveImportRun(redis, this.#run.id, this.#run)
    } catch (error) {
      log.warn({ err: error }, 'progress of an import not written; the next look writes it')
    }
  }

  #stop(): void {
    const now = this.#deps.now()
    if (this.#stoppedAt === undefined) this.#thread.postMessage('stop')
    this.#stoppedAt ??= now
    if (now - this.#stoppedAt > STOP_MS) void this.#thread.terminate()
  }

  get #state(): ImportRun['state'] {
    if (this.#end !== undefined && this.#end.kind !== 'progress') return this.#end.kind
    return this.#stoppedAt === undefined ? 'interrupted' : 'cancelled'
  }

  async #finish(): Promise<void> {
    const { redis, log } = this.#deps
    const end = this.#end
    const { id } = this.#run
    if (end?.kind === 'failed') log.error({ reason: end.text }, 'import failed')
    if (end?.kind === 'finished') await saveImportReportOf(redis, id, await promisify(gzip)(JSON.stringify(end.report)))
    const failure = end?.kind === 'failed' ? end.failure : null
    await saveImportRun(redis, id, { ...this.#run, state: this.#state, finished_at: nowSeconds(this.#deps), failure })
    await endImportRun(redis, id)
    // The rows of a file are carried; an address can be read again.
    if (end?.kind === 'finished' && !this.#run.is_dry_run && this.#source.kind === 'file') await dropSource(this.#deps, this.#run.source_id)
    await this.#partitionLogs()
  }

  /** Only the worker may create tables: it gives the carried months partitions of their own. It does so every hour, too. */
  async #partitionLogs(): Promise<void> {
    if (this.#run.is_dry_run || this.#run.wishes.log_days === 0) return
    await this.#deps.jobs.enqueue('partition-upkeep', {}).catch(() => undefined)
  }
}

function withProgress(run: StoredRun, progress: StoredRun['progress'][number]): StoredRun {
  const others = run.progress.filter(({ kind }) => kind !== progress.kind)
  const isNew = others.length === run.progress.length
  return {
    ...run,
    progress: isNew ? [...others, progress] : run.progress.map((one) => (one.kind === progress.kind ? progress : one)),
  }
}
