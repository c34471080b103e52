import { ChannelStatus } from '@tollgate/contracts/enums'
import { channelLimits } from '@tollgate/contracts/relay/limits'
import type { OptionValues } from '@tollgate/contracts/options/registry'
import type { CheckedLimit, LimitCheck, LimitObstacle, LimitQuery } from '@tollgate/contracts/resources/limits'
import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import { listRoutedChannels } from '@tollgate/db/queries/channels/channels'
import { AUTO_GROUP, isAutoGroup, listAutoGroups, resolveGroup } from '@tollgate/domain/access/group'
import { isModelAllowed } from '@tollgate/domain/access/model'
import { wildcardOf } from '@tollgate/domain/pricing/gizmo'
import { toGroupSnapshots } from '@tollgate/domain/pricing/price-snapshots'
import { findExceeded, limitsFor } from '@tollgate/domain/rate-limit/request-limits'
import { windowsFor } from '@tollgate/domain/rate-limit/windows'
import { peekLimits, type PeekedLimit } from '@tollgate/ledger/limits/peek-limits'
import type { SharedLimit } from '@tollgate/ledger/limits/shared-limits'
import type { Deps } from '../../deps.ts'
import { toChannelSnapshot } from '../../internal/snapshot-fields.ts'
import { checkBudgets } from '../budgets/read.ts'
import { getAskedAccount, type AskedAccount } from './asked-account.ts'

const OPTIONS = [
  'GroupRatio',
  'GroupGroupRatio',
  'GroupModelRatio',
  'UserUsableGroups',
  'AutoGroups',
  'RateLimits',
  'HoldOutputTokens',
  'ModelRequestRateLimitEnabled',
  'ModelRequestRateLimitDurationMinutes',
  'ModelRequestRateLimitCount',
  'ModelRequestRateLimitSuccessCount',
  'ModelRequestRateLimitGroup',
] as const
type Options = Pick<OptionValues, (typeof OPTIONS)[number]>

/** Asks every limit of a request that is not sent, with the rules and counters of relays. Prices and balances are not looked at. */
export async function checkLimits(deps: Deps, query: LimitQuery): Promise<LimitCheck> {
  const { model, prompt_tokens } = query
  const [account, options, all] = await Promise.all([
    getAskedAccount(deps, query),
    deps.options.pick(OPTIONS),
    listRoutedChannels(deps.db).then((rows) => rows.map(toChannelSnapshot)),
  ])
  const asked = query.group === '' ? account : { ...account, group: query.group }
  const serving = channelsOf(model, all)
  const { group, obstacle: groupObstacle } = groupOf(asked, serving, options)
  const channels = serving.filter(({ groups }) => groups.includes(group))
  const enabled = channels.filter(({ status }) => status === ChannelStatus.enabled)
  const limits = limitsFor(account, { group, model }, options.RateLimits)
  const tokens = prompt_tokens + (query.max_tokens ?? options.HoldOutputTokens)
  const ofChannels = enabled.flatMap(({ id, setting }): SharedLimit[] => {
    const found = channelLimits(setting)
    return found === undefined ? [] : [{ of: 'channel', name: String(id), limits: found }]
  })
  const peeked = await peekLimits(deps.ledgerRedis, {
    shard: account.shard,
    user_id: account.user_id,
    token_id: account.token_id,
    windows: windowsFor(requestLimits(options), group),
    own: limits.own === undefined ? undefined : { ...limits.own, tokens },
    shared: [...limits.shared, ...ofChannels],
    tokens,
  })
  const obstacle =
    account.obstacle ??
    groupObstacle ??
    modelObstacle(account, { model, channels, enabled }) ??
    (findExceeded(limits, prompt_tokens) === undefined ? null : 'prompt-too-long')
  const full = new Set(peeked.filter(({ of, passes }) => of === 'channel' && !passes).map(({ name }) => name))
  const isOpen = peeked.every(({ of, passes }) => passes || of === 'channel') && enabled.some(({ id }) => !full.has(String(id)))
  const names = new Map(channels.map(({ id, name }) => [String(id), name]))
  const budgets = await checkBudgets(deps, account)
  const passes = obstacle === null && isOpen && budgets.every((budget) => budget.passes)
  return { passes, obstacle, group, tokens, limits: peeked.map((one) => toChecked(one, account, names)), budgets }
}

/** The channels that list the model, else those that list its family. */
function channelsOf(model: string, all: readonly ChannelSnapshot[]): ChannelSnapshot[] {
  const found = all.filter(({ models }) => models.includes(model))
  const wildcard = found.length === 0 ? wildcardOf(model) : undefined
  return wildcard === undefined ? found : all.filter(({ models }) => models.includes(wildcard))
}

type Group = { readonly group: string; readonly obstacle: LimitObstacle | undefined }

function groupOf(asked: Pick<AskedAccount, 'group' | 'user_group'>, serving: readonly ChannelSnapshot[], options: Options): Group {
  const groups = new Map(toGroupSnapshots(options).map((row) => [row.name, row]))
  if (!isAutoGroup(asked, groups)) {
    const { kind, group } = resolveGroup(asked, groups)
    return { group, obstacle: kind === 'ok' ? undefined : `group-${kind}` }
  }
  const names = listAutoGroups(asked, groups, options.AutoGroups)
  if (names.length === 0) return { group: AUTO_GROUP, obstacle: 'group-disabled' }
  // A relay prefers a group whose breakers are closed, which only relays know.
  const found = names.find((name) => serving.some(({ status, groups: of }) => status === ChannelStatus.enabled && of.includes(name)))
  return { group: found ?? names[0] ?? AUTO_GROUP, obstacle: undefined }
}

type Served = { readonly model: string; readonly channels: readonly ChannelSnapshot[]; readonly enabled: readonly ChannelSnapshot[] }

function modelObstacle(account: AskedAccount, { model, channels, enabled }: Served): LimitObstacle | undefined {
  if (!isModelAllowed(account, model)) return 'model-refused'
  if (channels.length === 0) return 'model-unknown'
  return enabled.length === 0 ? 'no-channel' : undefined
}

const requestLimits = (options: Options) => ({
  is_enabled: options.ModelRequestRateLimitEnabled,
  duration_minutes: options.ModelRequestRateLimitDurationMinutes,
  count: options.ModelRequestRateLimitCount,
  success_count: options.ModelRequestRateLimitSuccessCount,
  by_group: options.ModelRequestRateLimitGroup,
})

function toChecked(peeked: PeekedLimit, { username, name }: AskedAccount, channels: ReadonlyMap<string, string>): CheckedLimit {
  const named = { user: username, token: name, channel: channels.get(peeked.name) ?? '', group: undefined, model: undefined }[peeked.of]
  return {
    ...peeked,
    name: named === undefined ? peeked.name : `#${peeked.name} ${named}`,
    left: Math.max(0, peeked.limit - peeked.used),
  }
}
