import { randomUUID } from 'node:crypto'
import { AppError } from '@tollgate/contracts/app-error'
import type { RunKind, ShownRun } from '@tollgate/contracts/channels/channel-runs'
import type { TestCapability } from '@tollgate/contracts/channels/channel-tests'
import { inLanguage } from '@tollgate/contracts/failures/fault'
import { listChannelNames } from '@tollgate/db/queries/channels/channels'
import type { Language } from '@tollgate/http/language'
import { cancelChannelRun, finishChannelRun, readChannelRun, startChannelRun } from '@tollgate/redis/stores/channel-run'
import type { By } from '../../audit.ts'
import { recordAudit } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'

type Wanted = { readonly kind: RunKind; readonly ids?: readonly number[] | null | undefined; readonly capability: TestCapability }

/** Starts a run over these channels, or over all, in the worker. There is one of a kind at a time. */
export async function startRun(deps: Deps, by: By, { kind, ids, capability }: Wanted): Promise<ShownRun> {
  const isSome = ids !== undefined && ids !== null && ids.length > 0
  const channels = await listChannelNames(deps.db, { ids: isSome ? ids : undefined, isEnabled: kind !== 'test' && !isSome })
  const id = randomUUID()
  const now = nowSeconds(deps)
  if (!(await startChannelRun(deps.redis, { id, kind, capability, total: channels.length, now })))
    throw new AppError('channels.test-running')
  if (channels.length === 0) {
    await finishChannelRun(deps.redis, { id, kind }, now)
    return { id, kind, capability, total: 0, done: 0, started_at: now, finished_at: now, is_cancelled: false, results: [] }
  }
  try {
    await deps.jobs.enqueue('run-channels', { kind, run_id: id, capability, ...(isSome ? { ids: channels.map((one) => one.id) } : {}) })
  } catch (error) {
    await finishChannelRun(deps.redis, { id, kind }, now)
    throw error
  }
  const changes = [{ field: 'channels', after: String(channels.length) }]
  await deps.db
    .transaction()
    .execute((tx) =>
      recordAudit(deps, tx, by, [{ action: kind === 'models' ? 'check-models' : kind, resource: 'channel', resource_id: '', changes }]),
    )
  return { id, kind, capability, total: channels.length, done: 0, started_at: now, finished_at: 0, is_cancelled: false, results: [] }
}

type Reading = { readonly kind: RunKind; readonly from: number; readonly language: Language }

export async function getRun(deps: Deps, { kind, from, language }: Reading): Promise<ShownRun | null> {
  const run = await readChannelRun(deps.redis, kind, Math.max(0, from))
  return run === undefined ? null : { ...run, results: run.results.map((result) => inLanguage(result, language)) }
}

export async function cancelRun(deps: Deps, kind: RunKind): Promise<void> {
  await cancelChannelRun(deps.redis, kind)
}
