import { channels } from '@tollgate/contracts/resources/channels'
import { options } from '@tollgate/contracts/resources/options'
import { PRICE_OPTIONS } from '@tollgate/contracts/resources/prices'
import type { WhatIfCandidate } from '@tollgate/contracts/resources/what-if'
import { patchedText } from '@tollgate/domain/pricing/price-patch'
import { pricePatchOf } from '@tollgate/domain/what-if/price-patch-of'
import { call } from '../../lib/api.ts'
import type { Change } from './changes.ts'

/** Makes the listed changes, by the calls that the channel form and the settings make. */
export async function applyChanges(candidate: WhatIfCandidate, list: readonly Change[]): Promise<void> {
  await applyChannels(list)
  if (list.some(({ kind }) => kind !== 'channel')) await applyOptions(candidate, list)
}

/** One call a channel, by the call that the channel form uses. */
async function applyChannels(list: readonly Change[]): Promise<void> {
  const own = list.filter((change) => change.kind === 'channel')
  for (const id of new Set(own.map((change) => change.id))) {
    const fields = Object.fromEntries(own.filter((change) => change.id === id).map(({ field, after }) => [field, after]))
    const { is_enabled, weight, priority, cost_ratio } = fields
    const setting =
      cost_ratio === undefined ? undefined : withCostRatio((await call(channels.get, { params: { id } })).setting, Number(cost_ratio))
    await call(channels.update, {
      body: {
        id,
        ...(is_enabled === undefined ? {} : { status: is_enabled === 'true' ? 1 : 2 }),
        ...(weight === undefined ? {} : { weight: Number(weight) }),
        ...(priority === undefined ? {} : { priority: Number(priority) }),
        ...(setting === undefined ? {} : { setting }),
      },
    })
  }
}

function withCostRatio(setting: string | null, cost_ratio: number): string {
  const stored: unknown = setting === null || setting.trim() === '' ? {} : JSON.parse(setting)
  return JSON.stringify({ ...(typeof stored === 'object' && stored !== null ? stored : {}), cost_ratio })
}

/** Each option only while it still has the value that was compared with. */
async function applyOptions({ strategies, fallbacks, prices = [] }: WhatIfCandidate, list: readonly Change[]): Promise<void> {
  const rows = new Map((await call(options.list, {})).map(({ key, value }) => [key, value]))
  const save = async (key: string, value: string): Promise<void> => {
    const was = rows.get(key)
    await call(options.update, { body: { key, value, ...(was === undefined ? {} : { was }) } })
  }
  if (strategies !== undefined && list.some(({ kind }) => kind === 'strategy')) await save('RoutingStrategies', JSON.stringify(strategies))
  if (fallbacks !== undefined && list.some(({ kind }) => kind === 'chain')) await save('ModelFallbacks', JSON.stringify(fallbacks))
  const patch = pricePatchOf(prices)
  for (const key of PRICE_OPTIONS) {
    const entries = patch[key]
    const stored = rows.get(key) ?? '{}'
    const next = entries === undefined ? undefined : patchedText(stored, entries)
    if (next !== undefined && JSON.stringify(JSON.parse(next)) !== JSON.stringify(JSON.parse(stored))) await save(key, next)
  }
}
