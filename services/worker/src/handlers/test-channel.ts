import { parseKeyStates, type KeyStates } from '@tollgate/contracts/channels/channel-keys'
import type { ChannelTest, TestCapability } from '@tollgate/contracts/channels/channel-tests'
import { fromFault } from '@tollgate/contracts/failures/fault'
import { ZERO_USAGE } from '@tollgate/contracts/pricing/quote'
import { keyIdOf, sealedBy } from '@tollgate/config/sealing'
import { findChannel, recordChannelTest, type ChannelRow } from '@tollgate/db/queries/channels/channels'
import { openChannel } from '@tollgate/domain/channel-choice/setting-secrets'
import { keyTailOf } from '@tollgate/domain/channel-choice/key-tail'
import { keysIn } from '@tollgate/domain/channel-choice/split-keys'
import { modelKindOf } from '@tollgate/domain/channel-models/model-kind'
import { usableKeys } from '@tollgate/domain/channel-choice/usable-keys'
import type { Handler } from '@tollgate/jobs/jobs'
import { findPublishedChannel } from '@tollgate/redis/snapshot/snapshot-field'
import { testChannel as probeChannel, type ProbeResult } from '@tollgate/upstream/probe'
import type { ChannelTestResult } from '../channels/channel-test-result.ts'
import { recordTestLog } from '../channels/channel-test-log.ts'
import type { Deps } from '../deps.ts'
import { listModels } from '../channels/list-models.ts'
import { openStoredChannel, type StoredChannel } from '../channels/stored-channel.ts'

type Faulty = ReturnType<typeof fromFault>

/** Channel types without a chat API, with the text that consoles show. */
const UNTESTABLE: Readonly<Record<number, Faulty>> = {
  2: fromFault('channels.test-kind', { kind: 'midjourney' }),
  5: fromFault('channels.test-plus'),
  36: fromFault('channels.test-kind', { kind: 'suno' }),
}
export const isTestable = (type: number): boolean => UNTESTABLE[type] === undefined

const NAMES_OF = {
  image: /dall-e|image|imagen|flux|diffusion|sd3|sdxl|cogview|wanx|kolors|seedream|recraft|ideogram/i,
  embeddings: /embed|bge-|^m3e/i,
} as const
const FALLBACK_MODEL = 'gpt-4o-mini'

/** Safe to run twice: stores the latest result and appends one log row per answered test. */
export const testChannel =
  (deps: Deps): Handler<'test-channel'> =>
  async (payload, { signal }) => {
    const { result } = await testOne(deps, payload, signal)
    return result
  }

export type TestInput = {
  readonly channel_id: number
  readonly model?: string | undefined
  readonly capability?: TestCapability | undefined
  /** Only this key, in whatever state it is. */
  readonly key_id?: string | undefined
}

/** Tests a channel with a key, or its first one in service, and stores and logs the result. `key_id` is empty for a channel with one key. */
export async function testOne(
  deps: Deps,
  { channel_id, model, capability, key_id = '' }: TestInput,
  signal: AbortSignal,
): Promise<ChannelTestResult> {
  const row = await findChannel(deps.db, channel_id)
  if (row === undefined) return failed(fromFault('channel-fault.missing', { id: channel_id }))
  const refusal = UNTESTABLE[row.type]
  if (refusal !== undefined) return failed(refusal)
  // The published snapshot instead of the row: the test calls the channel the way relays do.
  const published = await findPublishedChannel(deps.redis, channel_id)
  if (published === undefined) return failed(fromFault('channel-fault.unpublished'))
  const channel = openChannel(published, (sealed) => deps.channelKeys.unseal(sealed, sealedBy.channelSetting(channel_id)))

  const asked = chooseModelFor(capability ?? 'auto', row, model)
  if (asked === undefined) return failed(fromFault('channel-fault.no-model', { capability: capability ?? 'auto' }))
  if ((capability ?? 'auto') === 'auto' && key_id === '' && modelKindOf(asked) === 'costly')
    return await testByList(deps, channel_id, asked)
  const keys = keysIn(deps.channelKeys.unseal(channel.key_sealed, sealedBy.channelKey(channel_id)), channel.setting)
  const key = chooseKey(keys, { key_id, channel, states: parseKeyStates(row.key_states), now: deps.now() / 1000 })
  if (key === undefined) return failed(fromFault('channels.key-unknown'))
  const wanted = capability === undefined ? {} : { capability }
  const probe = await probeChannel(deps.outbound, { channel, key, model: asked, signal, ...wanted })
  if (!signal.aborted)
    await recordChannelTest(deps.db, { id: channel_id, test: { ...toStoredTest(probe, asked, deps.now()), key: keyTailOf(key) } })
  if (probe.ok)
    await recordTestLog(deps, { channel, key: keyTailOf(key), model: asked, usage: probe.usage ?? ZERO_USAGE, time_ms: probe.time_ms })
  const { ok, status, time_ms, message, fault } = probe
  const result = { ok, status, time_ms, message, fault, key: keyTailOf(key) }
  return { result, model: asked, probe, key_id: keys.length > 1 ? keyIdOf(key) : '' }
}

type KeyChoice = {
  readonly key_id: string
  readonly channel: Parameters<typeof usableKeys>[1]
  readonly states: KeyStates
  readonly now: number
}

/** The key that was named; else the first in service, the first that no person disabled, or the first. Undefined: there is no such key. */
function chooseKey(keys: readonly string[], { key_id, channel, states, now }: KeyChoice): string | undefined {
  if (key_id !== '') return keys.find((one) => keyIdOf(one) === key_id)
  const inService = new Set(usableKeys(keys.map(keyIdOf), channel, now).key_ids)
  const isByHand = (one: string): boolean => states[keyIdOf(one)]?.disabled_at !== undefined
  const enabled = keys.filter((one) => !isByHand(one))
  return enabled.find((one) => inService.has(keyIdOf(one))) ?? enabled[0] ?? keys[0] ?? ''
}

/** Statuses of vendors that have no list of models at its usual place. */
const NO_LIST = new Set([404, 405, 501])

/**
 * Tests a channel of models whose calls cost money or need a file by the vendor's list of models, which needs the same address and key. A
 * vendor without one is not tested: real requests say whether it works.
 */
async function testByList(deps: Deps, channel_id: number, model: string): Promise<ChannelTestResult> {
  const stored = await openStoredChannel(deps, channel_id)
  if (stored === undefined) return failed(fromFault('channel-fault.missing', { id: channel_id }))
  const { probe, test } = await testListed(deps, stored, model)
  await recordChannelTest(deps.db, { id: channel_id, test })
  const { ok, status, time_ms, message, fault } = probe
  return { result: { ok, status, time_ms, message, fault }, model, probe, key_id: '' }
}

type Listed = { readonly outcome: 'well' | 'failed' | 'none'; readonly probe: ProbeResult; readonly test: ChannelTest }

/** Tests a channel by the vendor's list of models; `none`: there is no list. */
export async function testListed(deps: Pick<Deps, 'outbound' | 'now'>, stored: StoredChannel, model: string): Promise<Listed> {
  const started = deps.now()
  const listed = await listModels(deps, stored)
  const about = { capability: 'list', status: listed.status, time_ms: Math.round(deps.now() - started) } as const
  const isWithout = 'fault' in listed && (listed.status === 200 || NO_LIST.has(listed.status))
  const probe: ProbeResult =
    'fault' in listed && !isWithout
      ? { ...about, ...listed, ok: false, failure: { kind: 'refused', status: listed.status, message: listed.message } }
      : { ...about, ...fromFault(isWithout ? 'channel-fault.not-tested' : 'channel-fault.listed', { model }), ok: true }
  const outcome = isWithout ? 'none' : probe.ok ? 'well' : 'failed'
  return { outcome, probe, test: toStoredTest(probe, model, deps.now()) }
}

/** The result as the console shows it later. */
export function toStoredTest({ capability, ok, status, message, fault, time_ms }: ProbeResult, model: string, now: number): ChannelTest {
  return { capability, ok, status, message, fault, model, time_ms, at: Math.floor(now / 1000) }
}

/** The requested model, else the channel's test model, else its first model that a cheap call can test, else its first. */
export function chooseTestModel({ test_model, models }: Pick<ChannelRow, 'test_model' | 'models'>, requested: string | undefined): string {
  const names = models.split(',').filter((name) => name.trim() !== '')
  const first = names.find((name) => modelKindOf(name) !== 'costly') ?? names[0]
  return [requested, test_model, first].map((name) => name?.trim() ?? '').find((name) => name !== '') ?? FALLBACK_MODEL
}

/** The same for one capability: images and embeddings without a request need a model whose name says so; undefined without one. */
export function chooseModelFor(
  capability: TestCapability,
  row: Pick<ChannelRow, 'test_model' | 'models'>,
  requested: string | undefined,
): string | undefined {
  if (!isBlank(requested) || (capability !== 'image' && capability !== 'embeddings')) return chooseTestModel(row, requested)
  return [row.test_model, ...row.models.split(',')].map((name) => name.trim()).find((name) => NAMES_OF[capability].test(name))
}

const isBlank = (text: string | undefined): boolean => text === undefined || text.trim() === ''

const failed = (faulty: Faulty): ChannelTestResult => ({ result: { ok: false, status: 0, time_ms: 0, ...faulty }, model: '', key_id: '' })
