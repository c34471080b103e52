import { z } from 'zod'
import { RunKind } from '@tollgate/contracts/channels/channel-runs'
import { TestCapability } from '@tollgate/contracts/channels/channel-tests'
import { job } from './job.ts'

export const runChannels = job('run-channels', {
  summary:
    'Tests many channels, reads their balances, or compares their models with the vendors’, several at a time; results are stored as they arrive, and it can be cancelled.',
  queue: 'probe',
  attempts: 1,
  timeoutMs: 3_600_000,
  payload: z.object({
    kind: RunKind,
    run_id: z.string(),
    /** Absent: all channels (for balances and models: the enabled ones). */
    ids: z.array(z.int()).optional(),
    capability: TestCapability,
  }),
  result: z.object({ done: z.int(), failed: z.int() }),
  dedupe: ({ run_id }) => run_id,
})
