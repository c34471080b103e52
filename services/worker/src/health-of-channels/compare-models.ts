import { sealedBy } from '@tollgate/config/sealing'
import type { RunResult } from '@tollgate/contracts/channel-runs'
import { findChannel, findSealedKey, type ChannelRow } from '@tollgate/db/queries/channels'
import { findModelCheck, recordModelCheck } from '@tollgate/db/queries/model-checks'
import { joinSecrets } from '@tollgate/domain/channel-choice/setting-secrets'
import { keysIn } from '@tollgate/domain/channel-choice/split-keys'
import { modelDiff } from '@tollgate/domain/channel-models/model-diff'
import { parseModelList, toModelListCall } from '@tollgate/domain/channel-models/model-list'
import { OutboundError } from '@tollgate/outbound/errors'
import { catalogue } from '@tollgate/providers/catalogue'
import { proxyOf } from '@tollgate/upstream/prepare'
import type { Deps } from '../deps.ts'
import { secretsOf } from '../handlers/update-balance.ts'
import { toSetting } from './to-setting.ts'

const TIMEOUT_MS = 15_000

type Compared = Pick<RunResult, 'ok' | 'status' | 'message' | 'fresh' | 'gone'>
type Listed = Pick<Compared, 'status'> & ({ readonly names: readonly string[] } | { readonly error: string })

/** Compares a channel's models with those that its vendor lists, and stores how they differ. */
export async function compareModels(deps: Deps, id: number): Promise<Compared> {
  const row = await findChannel(deps.db, id)
  if (row === undefined) return { ok: false, status: 0, message: `channel ${id} does not exist` }
  const listed = await fetchList(deps, row)
  const at = Math.floor(deps.now() / 1000)
  const { models, model_mapping } = row
  if ('error' in listed) {
    const { fresh = [], gone = [] } = (await findModelCheck(deps.db, id)) ?? {}
    await recordModelCheck(deps.db, { id, models, model_mapping, check: { at, fresh, gone, error: listed.error } })
    return { ok: false, status: listed.status, message: listed.error }
  }
  const own = models.split(',').flatMap((name) => name.trim() || [])
  const { fresh, gone } = modelDiff(own, listed.names, toSetting(model_mapping))
  await recordModelCheck(deps.db, { id, models, model_mapping, check: { at, fresh: [...fresh], gone: [...gone], error: '' } })
  return { ok: true, status: listed.status, message: '', fresh: [...fresh], gone: [...gone] }
}

async function fetchList(deps: Deps, row: ChannelRow): Promise<Listed> {
  const { id, type } = row
  const stored = await findSealedKey(deps.db, id)
  const base_url = row.base_url === '' ? (catalogue.find((entry) => entry.type === type)?.baseUrl ?? '') : row.base_url
  if (stored === undefined || base_url === '') return { status: 0, error: 'the channel has no address' }
  const setting = joinSecrets(toSetting(row.setting), secretsOf(deps, row))
  const [key = ''] = keysIn(deps.channelKeys.unseal(stored.key_sealed, sealedBy.channelKey(id)), setting)
  try {
    const { status, body } = await deps.outbound.request({
      ...toModelListCall({ type, base_url: base_url.replace(/\/+$/, ''), key }),
      timeoutMs: TIMEOUT_MS,
      proxy: proxyOf(setting),
    })
    if (status !== 200) return { status, error: `status code ${status}` }
    const list = parseModelList(type, body.toString('utf8'))
    return list.kind === 'names' ? { status, names: list.names } : { status, error: `the list of models has no readable ${list.what}` }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    // The message may contain internal addresses, so only the kind of failure is kept.
    return { status: 0, error: `the list of models could not be read: ${error.failure}` }
  }
}
