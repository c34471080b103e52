import { EXTRA_CAPABILITIES } from '@tollgate/contracts/channels/channel-tests'
import { balanceFault } from '@tollgate/contracts/failures/balance-fault'
import { ChannelStatus } from '@tollgate/contracts/enums'
import type { RunResult } from '@tollgate/contracts/channels/channel-runs'
import { findChannel, listChannelNames } from '@tollgate/db/queries/channels/channels'
import type { Handler, JobPayload } from '@tollgate/jobs/jobs'
import { fromFault } from '@tollgate/contracts/failures/fault'
import { addRunResult, continueChannelRun, finishChannelRun, readChannelRun, setRunTotal } from '@tollgate/redis/stores/channel-run'
import type { Deps } from '../deps.ts'
import { applyTest, readStatusRules, type StatusRules } from '../channels/test-evidence.ts'
import { testOne } from './test-channel.ts'
import { compareModels } from '../channels/compare-models.ts'
import { updateOneBalance } from './update-balance.ts'

type Run = JobPayload<'run-channels'>
type Channel = { readonly id: number; readonly name: string }

const AT_ONCE = 6
/** For the keys of one channel. */
const BALANCES_WITHIN_MS = 120_000
const CHECK_EVERY_MS = 1000

/** Safe to run twice: a run that is taken up again skips the channels that have a result. */
export const runChannels =
  (deps: Deps): Handler<'run-channels'> =>
  async (run, { signal }) => {
    const cancel = new AbortController()
    const stop = AbortSignal.any([signal, cancel.signal])
    const name = { id: run.run_id, kind: run.kind }
    const check = setInterval(() => {
      continueChannelRun(deps.redis, name).then(
        (goesOn) => (goesOn ? undefined : cancel.abort()),
        // Redis is away for a moment: the next check asks again.
        () => undefined,
      )
    }, CHECK_EVERY_MS)
    try {
      const left = await listLeft(deps, run)
      const rules =
        run.kind === 'test' && run.ids === undefined && !EXTRA_CAPABILITIES.has(run.capability) ? await readStatusRules(deps) : undefined
      let done = 0
      let failed = 0
      await inParallel(left, { atOnce: AT_ONCE, signal: stop }, async (channel) => {
        const result = await runOne(deps, { run, channel, rules }, stop)
        // A cancelled call says nothing about the channel.
        if (stop.aborted) return
        await addRunResult(deps.redis, run.kind, result)
        done += 1
        if (!result.ok) failed += 1
      })
      return { done, failed }
    } finally {
      clearInterval(check)
      // A run that the stopping worker leaves is taken up by the next one.
      if (!signal.aborted) await finishChannelRun(deps.redis, name, Math.floor(deps.now() / 1000))
    }
  }

/** The run's channels without a result. */
async function listLeft({ db, redis }: Deps, { kind, run_id, ids }: Run): Promise<Channel[]> {
  const all = await listChannelNames(db, { ids, isEnabled: kind !== 'test' && ids === undefined })
  await setRunTotal(redis, kind, all.length)
  const earlier = await readChannelRun(redis, kind)
  const done = new Set(earlier?.id === run_id ? earlier.results.map(({ channel_id }) => channel_id) : [])
  return all.filter(({ id }) => !done.has(id))
}

type One = { readonly run: Run; readonly channel: Channel; readonly rules: StatusRules | undefined }

async function runOne(deps: Deps, { run, channel, rules }: One, signal: AbortSignal): Promise<RunResult> {
  const about = { channel_id: channel.id, name: channel.name }
  try {
    if (run.kind === 'balance') {
      const read = await updateOneBalance(deps, channel.id, BALANCES_WITHIN_MS)
      const { balance, problem, status, change } = read
      const changed = change === undefined ? {} : { change }
      if (balance !== undefined) return { ...about, ok: true, status, message: '', balance, ...changed }
      const { code, params } = balanceFault(read)
      const isUnsupported = problem === 'unsupported'
      return { ...about, ok: false, status, ...fromFault(code, params), ...(isUnsupported ? { has_no_balance: true } : {}) }
    }
    if (run.kind === 'models') return { ...about, ...(await compareModels(deps, channel.id)) }
    const skipped = rules === undefined ? undefined : await skipReason(deps, channel.id, rules)
    if (skipped !== undefined) return { ...about, ok: false, status: 0, message: '', skipped }
    const tested = await testOne(deps, { channel_id: channel.id, capability: run.capability }, signal)
    const change = rules === undefined || signal.aborted ? undefined : await applyTest(deps, channel.id, tested, rules)
    const { ok, status, message, fault, time_ms, key } = tested.result
    return {
      ...about,
      ok,
      status,
      message,
      fault,
      model: tested.model,
      time_ms,
      ...(isBlank(key) ? {} : { key }),
      ...(change === undefined ? {} : { change }),
    }
  } catch (err) {
    // One channel must not end the run.
    deps.log.warn({ err, channel_id: channel.id }, 'Channel could not be tested in a run')
    return { ...about, ok: false, status: 0, message: err instanceof Error ? err.message.slice(0, 300) : 'failed' }
  }
}

const isBlank = (key: string | undefined): boolean => key === undefined || key === ''

/** Why a test of all channels leaves one out; undefined: it is tested. */
async function skipReason({ db }: Deps, id: number, { mayEnable }: StatusRules): Promise<RunResult['skipped']> {
  const status = (await findChannel(db, id))?.status
  if (status === ChannelStatus.disabled) return 'disabled'
  return status === ChannelStatus.autoDisabled && !mayEnable ? 'auto-disabled' : undefined
}

async function inParallel<T>(
  all: readonly T[],
  { atOnce, signal }: { readonly atOnce: number; readonly signal: AbortSignal },
  run: (one: T) => Promise<void>,
): Promise<void> {
  const queue = all.values()
  const work = async (): Promise<void> => {
    for (const one of queue) {
      if (signal.aborted) return
      await run(one)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}
