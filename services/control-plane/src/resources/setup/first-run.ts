import type { FirstRun } from '@tollgate/contracts/resources/setup'
import { findFirstChannel, findFirstRequest, findFirstToken, findTestedChannel } from '@tollgate/db/queries/installation/first-run'
import { listEnabledModels } from '@tollgate/db/queries/channels/abilities'
import type { Deps } from '../../deps.ts'
import { priceCheck, withoutPrice } from '../pricing/service.ts'

const SHOWN_UNPRICED = 20

/** The state of root's checklist. */
export async function getFirstRun(deps: Deps, userId: number): Promise<FirstRun> {
  const [channel, tested, token, request, enabled, options] = await Promise.all([
    findFirstChannel(deps.db),
    findTestedChannel(deps.db),
    findFirstToken(deps.db, userId),
    findFirstRequest(deps.db, userId),
    listEnabledModels(deps.db),
    deps.options.all(),
  ])
  const hasPrice = priceCheck(options)
  return {
    channel: channel === undefined ? null : { id: channel.id, name: channel.name, model: channel.models.split(',')[0] ?? '' },
    tested_channel: tested === undefined ? null : { id: tested.id, time_ms: tested.response_time },
    priced_model: enabled.find((model) => options.SelfUseModeEnabled || hasPrice(model)) ?? null,
    unpriced_models: options.SelfUseModeEnabled ? [] : withoutPrice(enabled, options, hasPrice).slice(0, SHOWN_UNPRICED),
    token: token ?? null,
    request: request ?? null,
  }
}
