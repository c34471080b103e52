import type { RunResult } from '@tollgate/contracts/channel-runs'
import { fromFault } from '@tollgate/contracts/fault'
import { findModelCheck, recordModelCheck } from '@tollgate/db/queries/model-checks'
import { modelDiff } from '@tollgate/domain/channel-models/model-diff'
import { parseModelList, toModelListCall } from '@tollgate/domain/channel-models/model-list'
import { OutboundError } from '@tollgate/outbound/errors'
import { outboundFault } from '@tollgate/upstream/outbound-fault'
import type { Deps } from '../deps.ts'
import { openStoredChannel, type StoredChannel } from './stored-channel.ts'
import { toSetting } from './to-setting.ts'

const TIMEOUT_MS = 15_000

type Compared = Pick<RunResult, 'ok' | 'status' | 'message' | 'fault' | 'fresh' | 'gone'>
type Listed = Pick<Compared, 'status'> & ({ readonly names: readonly string[] } | ReturnType<typeof fromFault>)

/** Compares a channel's models with those that its vendor lists, and stores how they differ. */
export async function compareModels(deps: Deps, id: number): Promise<Compared> {
  const channel = await openStoredChannel(deps, id)
  if (channel === undefined) return { ok: false, status: 0, ...fromFault('channel-fault.missing', { id }) }
  const { row } = channel
  const listed = await fetchList(deps, channel)
  const at = Math.floor(deps.now() / 1000)
  const { models, model_mapping } = row
  if ('fault' in listed) {
    const { fresh = [], gone = [] } = (await findModelCheck(deps.db, id)) ?? {}
    await recordModelCheck(deps.db, { id, models, model_mapping, check: { at, fresh, gone, error: listed.message, fault: listed.fault } })
    return { ok: false, ...listed }
  }
  const own = models.split(',').flatMap((name) => name.trim() || [])
  const { fresh, gone } = modelDiff(own, listed.names, toSetting(model_mapping))
  await recordModelCheck(deps.db, { id, models, model_mapping, check: { at, fresh: [...fresh], gone: [...gone], error: '' } })
  return { ok: true, status: listed.status, message: '', fresh: [...fresh], gone: [...gone] }
}

async function fetchList(deps: Deps, { row: { type }, address, keys: [key = ''], proxy }: StoredChannel): Promise<Listed> {
  if (address === '') return { status: 0, ...fromFault('channel-fault.no-address') }
  try {
    const { status, body } = await deps.outbound.request({
      ...toModelListCall({ type, base_url: address, key }),
      timeoutMs: TIMEOUT_MS,
      proxy,
    })
    if (status !== 200) return { status, ...fromFault('channels.fetch-status', { status }) }
    const list = parseModelList(type, body.toString('utf8'))
    return list.kind === 'names' ? { status, names: list.names } : { status, ...fromFault('channel-fault.no-list', { what: list.what }) }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    // The message may contain internal addresses, so only the kind of failure is kept.
    return { status: 0, ...outboundFault(error.failure) }
  }
}
