import type { RunResult } from '@tollgate/contracts/channels/channel-runs'
import { fromFault } from '@tollgate/contracts/failures/fault'
import { findModelCheck, recordModelCheck } from '@tollgate/db/queries/channels/model-checks'
import { modelDiff } from '@tollgate/domain/channel-models/model-diff'
import type { Deps } from '../deps.ts'
import { listModels } from './list-models.ts'
import { openStoredChannel } from './stored-channel.ts'
import { toSetting } from './to-setting.ts'

type Compared = Pick<RunResult, 'ok' | 'status' | 'message' | 'fault' | 'fresh' | 'gone'>
/** Compares a channel's models with those that its vendor lists, and stores how they differ. */
export async function compareModels(deps: Deps, id: number): Promise<Compared> {
  const channel = await openStoredChannel(deps, id)
  if (channel === undefined) return { ok: false, status: 0, ...fromFault('channel-fault.missing', { id }) }
  const { row } = channel
  const listed = await listModels(deps, channel)
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
