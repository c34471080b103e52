import { randomUUID } from 'node:crypto'
import { RunKind } from '@tollgate/contracts/channels/channel-runs'
import { createJobClient } from '@tollgate/jobs/client'
import type { Handler } from '@tollgate/jobs/jobs'
import { readChannelRun, startChannelRun } from '@tollgate/redis/stores/channel-run'
import type { Deps } from '../deps.ts'
import { noticeExpiringKeys } from '../channels/expiring-keys.ts'
import { getOption } from '../channels/incidents.ts'

const OPTIONS = { test: 'ChannelTestInterval', balance: 'ChannelBalanceInterval', models: 'ChannelModelsInterval' } as const

/** Safe to run twice: a run starts only when none is under way, and a key's expiry is announced once. */
export const scheduleChannelRuns =
  (deps: Deps): Handler<'schedule-channel-runs'> =>
  async () => {
    await noticeExpiringKeys(deps)
    const now = Math.floor(deps.now() / 1000)
    let started = 0
    for (const kind of RunKind.options) {
      const minutes = await readInterval(deps, kind)
      if (minutes === 0) continue
      const last = await readChannelRun(deps.redis, kind)
      if (last !== undefined && now - last.started_at < minutes * 60) continue
      const run = { id: randomUUID(), kind, capability: 'auto', total: 0, now } as const
      if (!(await startChannelRun(deps.redis, run))) continue
      const client = createJobClient(deps.env.REDIS_URL)
      try {
        await client.enqueue('run-channels', { kind, run_id: run.id, capability: 'auto' })
      } finally {
        await client.close()
      }
      started += 1
    }
    return { started }
  }

/** Minutes between two runs. While the option is 0, the variable of older deployments counts. */
async function readInterval(deps: Deps, kind: RunKind): Promise<number> {
  const minutes = await getOption(deps, OPTIONS[kind])
  if (minutes !== 0 || kind === 'models') return minutes
  return kind === 'test' ? deps.env.CHANNEL_TEST_FREQUENCY : deps.env.CHANNEL_UPDATE_FREQUENCY
}
