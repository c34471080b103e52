import { z } from 'zod'
import { TestCapability } from './channel-tests.ts'
import { optionalFault } from '../failures/fault.ts'
import { UnixSeconds } from '../units.ts'

/** A run over many channels in the background: tests, balances, or the models that vendors list. There is one of a kind at a time. */
export const RunKind = z.enum(['test', 'balance', 'models'])
export type RunKind = z.infer<typeof RunKind>

/** Result of a run for one channel. */
export const RunResult = z.object({
  channel_id: z.int(),
  name: z.string(),
  ok: z.boolean(),
  /** HTTP status of upstream's answer; 0: no answer. */
  status: z.int(),
  message: z.string(),
  fault: optionalFault,
  /** Tests: the model and the time. */
  model: z.string().optional(),
  time_ms: z.number().optional(),
  /** The last characters of the key that was tested. */
  key: z.string().optional(),
  /** Not tested: disabled by a person, or by the system while nothing is enabled again automatically. */
  skipped: z.enum(['disabled', 'auto-disabled']).optional(),
  balance: z.number().optional(),
  /** The vendor states no balance to keys: nothing failed. */
  has_no_balance: z.boolean().optional(),
  /** Models that only the vendor, and only the channel has. */
  fresh: z.array(z.string()).optional(),
  gone: z.array(z.string()).optional(),
  /** Change that the run made; the evidence is in the channel. */
  change: z.enum(['disabled', 'enabled', 'key-disabled']).optional(),
})
export type RunResult = z.infer<typeof RunResult>

export const RunState = z.object({
  id: z.string(),
  kind: RunKind,
  capability: TestCapability,
  total: z.int(),
  done: z.int(),
  started_at: UnixSeconds,
  /** 0: it is under way. */
  finished_at: UnixSeconds,
  is_cancelled: z.boolean(),
})
export type RunState = z.infer<typeof RunState>

/** A run with the results from an index on. */
export type ChannelRun = RunState & { readonly results: readonly RunResult[] }

/** The same with messages in the reader's language. */
export const ShownRun = z.object({ ...RunState.shape, results: z.array(RunResult.omit({ fault: true })) })
export type ShownRun = z.infer<typeof ShownRun>
