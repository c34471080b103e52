import { sealedBy } from '@tollgate/config/sealing'
import { AppError } from '@tollgate/contracts/app-error'
import type { TestCapability } from '@tollgate/contracts/channels/channel-tests'
import { inLanguage } from '@tollgate/contracts/failures/fault'
import { findChannel, findSealedKey } from '@tollgate/db/queries/channels/channels'
import { parseModelList, toModelListCall } from '@tollgate/domain/channel-models/model-list'
import type { Language } from '@tollgate/http/language'
import { OutboundError } from '@tollgate/outbound/errors'
import { catalogue } from '@tollgate/providers/catalogue'
import type { Deps } from '../../deps.ts'
import { firstKeyOf } from './fields.ts'
import { proxyOf } from './policy.ts'
import { openSetting } from './setting.ts'

const TIMEOUT_MS = 15_000
const TEST_DEADLINE_MS = 35_000
/** Drawing takes longer. */
const IMAGE_DEADLINE_MS = 105_000

export type TestAnswer = { readonly success: boolean; readonly message: string; readonly time: number; readonly key?: string }

type Wanted = {
  readonly id: number
  readonly model: string
  readonly capability: TestCapability
  /** Empty: the first key in service. */
  readonly key_id: string
  readonly traceparent: string | undefined
  readonly language: Language
}

/** Runs a test in the worker and waits for it; the worker decides what can be tested and stores the response time. */
export async function testChannel(deps: Deps, { id, model, capability, key_id, traceparent, language }: Wanted): Promise<TestAnswer> {
  const row = await findChannel(deps.db, id)
  if (row === undefined) throw new AppError('record.missing')
  const wanted = {
    channel_id: id,
    ...(capability === 'auto' ? {} : { capability }),
    ...(key_id === '' ? {} : { key_id }),
    ...(model.trim() === '' ? {} : { model: model.trim() }),
  }
  try {
    const result = await deps.jobs.ask('test-channel', wanted, capability === 'image' ? IMAGE_DEADLINE_MS : TEST_DEADLINE_MS, {
      traceparent,
    })
    if (result === 'timeout') throw new AppError('channels.test-late')
    const { key = '' } = result
    const said = { success: result.ok, message: inLanguage(result, language).message.slice(0, 500), time: result.time_ms / 1000 }
    return key === '' ? said : { ...said, key: `…${key}` }
  } catch (error) {
    if (error instanceof AppError) throw error
    // The job itself failed: administrators get the error, as they get a vendor's answer.
    deps.log.warn({ err: error, channel_id: id }, 'channel test failed')
    return { success: false, message: error instanceof Error ? error.message.slice(0, 500) : 'failed', time: 0 }
  }
}

/** Models that the vendor of a saved channel lists. */
export async function fetchModelsOfChannel(deps: Deps, id: number): Promise<string[]> {
  const row = await findChannel(deps.db, id)
  const stored = await findSealedKey(deps.db, id)
  if (row === undefined || stored === undefined) throw new AppError('record.missing')
  const key = firstKeyOf(deps.sealers.channels.unseal(stored.key_sealed, sealedBy.channelKey(id)), row.setting)
  return fetchModels(deps, { type: row.type, base_url: row.base_url, key, proxy: proxyOf(openSetting(deps, row)) })
}

/** The same before a channel is saved; its errors keep the statuses that existing consoles expect. */
export async function fetchModelsBeforeSaving(deps: Deps, body: { base_url: string; type: number; key: string }): Promise<string[]> {
  const [key = ''] = body.key.trim().split('\n')
  const address = body.base_url.trim().replace(/\/+$/, '')
  const isKnown = catalogue.some((entry) => entry.type === body.type)
  if (!isKnown || (address !== '' && !URL.canParse(address))) throw new AppError('channels.fetch-invalid')
  try {
    return await fetchModels(deps, { type: body.type, base_url: address, key: key.trim(), proxy: '' })
  } catch (cause) {
    throw new AppError('channels.fetch-failed', {}, { cause })
  }
}

type Vendor = { readonly type: number; readonly base_url: string; readonly key: string; readonly proxy: string }

async function fetchModels({ outbound }: Deps, { type, base_url, key, proxy }: Vendor): Promise<string[]> {
  const base = base_url === '' ? (catalogue.find((entry) => entry.type === type)?.baseUrl ?? '') : base_url
  if (base === '') throw new AppError('channels.base-url')
  const { url, headers } = toModelListCall({ type, base_url: base, key })
  const answer = await outbound
    .request({ url, headers, timeoutMs: TIMEOUT_MS, proxy: proxy === '' ? undefined : proxy })
    .catch((cause: unknown) => {
      // The message may contain internal addresses, so only the kind of failure is reported.
      throw new AppError('channels.fetch-network', { detail: cause instanceof OutboundError ? cause.failure : 'error' }, { cause })
    })
  if (answer.status !== 200) throw new AppError('channels.fetch-status', { status: answer.status })
  const list = parseModelList(type, answer.body.toString('utf8'))
  if (list.kind === 'malformed') throw new AppError('channels.fetch-parse', { detail: list.what })
  return [...list.names]
}
