import { keyIdOf, sealedBy } from '@tollgate/config/sealing'
import { textOf } from '@tollgate/contracts/app-error'
import { encodeChannelInfo, parseChannelInfo, withoutDisableReason } from '@tollgate/contracts/channels/channel-info'
import type { RunResult } from '@tollgate/contracts/channels/channel-runs'
import { ChannelStatus } from '@tollgate/contracts/enums'
import { parseStatusRanges } from '@tollgate/contracts/options/status-ranges'
import { lockChannelHealth, type ChannelHealthRow } from '@tollgate/db/queries/channels/channel-health'
import { judge } from '@tollgate/domain/channel-health/judge'
import { keysIn } from '@tollgate/domain/channel-choice/split-keys'
import type { Deps } from '../deps.ts'
import type { ChannelTestResult } from './channel-test-result.ts'
import { getOption, saveStatus } from './incidents.ts'
import { toSetting } from './to-setting.ts'
import { weighIncident } from './weigh-incident.ts'

type EvidenceDeps = Pick<Deps, 'db' | 'channelKeys' | 'now'>
type Change = NonNullable<RunResult['change']>

/** The operator's rules for channels that fail or pass, read once per run. */
export type StatusRules = {
  readonly mayDisable: boolean
  readonly mayEnable: boolean
  readonly slowest_ms: number
  readonly keywords: readonly string[]
  readonly statuses: ReturnType<typeof parseStatusRanges>
}

export async function readStatusRules(deps: EvidenceDeps): Promise<StatusRules> {
  return {
    mayDisable: await getOption(deps, 'AutomaticDisableChannelEnabled'),
    mayEnable: await getOption(deps, 'AutomaticEnableChannelEnabled'),
    slowest_ms: (await getOption(deps, 'ChannelDisableThreshold')) * 1000,
    keywords: await getOption(deps, 'AutomaticDisableKeywords'),
    statuses: parseStatusRanges(await getOption(deps, 'AutomaticDisableStatusCodes')),
  }
}

/** Disables or enables a channel as its test in a run over all channels says, with the evidence; undefined: nothing changed. */
export async function applyTest(
  deps: EvidenceDeps,
  id: number,
  tested: ChannelTestResult,
  rules: StatusRules,
): Promise<Change | undefined> {
  const { probe, key_id } = tested
  if (probe === undefined) return undefined
  return deps.db.transaction().execute(async (tx) => {
    const row = await lockChannelHealth(tx, id)
    if (row === undefined) return undefined
    const now = Math.floor(deps.now() / 1000)
    if (probe.ok && row.status === ChannelStatus.autoDisabled && rules.mayEnable && isFast(probe.time_ms, rules)) {
      const info = withoutDisableReason(withoutDisableReason(parseChannelInfo(row.other_info)), key_id)
      await saveStatus(tx, row, { status: ChannelStatus.enabled, other_info: encodeChannelInfo(info) }, now)
      return 'enabled'
    }
    const reason = probe.ok ? slowReason(probe.time_ms, rules) : refusalReason(row, probe, rules)
    if (reason === undefined) return undefined
    const evidence = { reason, key_id, status: probe.ok ? 0 : probe.status, code: probe.failure?.code ?? '' }
    return await disable(deps, tx, row, evidence)
  })
}

const NO_BALANCE = textOf('channels.no-balance', 'zh')

/** Disables an enabled channel whose balance is used up. The switches of site and channel are respected. */
export async function applyBalance(deps: EvidenceDeps, id: number, balance: number): Promise<Change | undefined> {
  if (balance > 0 || !(await getOption(deps, 'AutomaticDisableChannelEnabled'))) return undefined
  return deps.db.transaction().execute(async (tx) => {
    const row = await lockChannelHealth(tx, id)
    return row === undefined ? undefined : await disable(deps, tx, row, { reason: NO_BALANCE, key_id: '', status: 0, code: '' })
  })
}

type Evidence = { readonly reason: string; readonly key_id: string; readonly status: number; readonly code: string }
type Tx = Parameters<typeof saveStatus>[0]

async function disable({ channelKeys, now }: EvidenceDeps, tx: Tx, row: ChannelHealthRow, evidence: Evidence): Promise<Change | undefined> {
  const key = channelKeys.unseal(row.key_sealed, sealedBy.channelKey(row.id))
  const setting = toSetting(row.setting)
  const incident = { channel_id: row.id, channel_name: row.name, at: now(), ...evidence }
  const patch = weighIncident({ row, incident, key, setting })
  if (patch === undefined) return undefined
  await saveStatus(tx, row, patch, Math.floor(now() / 1000))
  return patch.status === ChannelStatus.autoDisabled || keysIn(key, setting).map(keyIdOf).length === 1 ? 'disabled' : 'key-disabled'
}

const isFast = (time_ms: number, { slowest_ms }: StatusRules): boolean => slowest_ms === 0 || time_ms <= slowest_ms

/** Slow channels are disabled whether or not failing ones are: the threshold is their switch. */
function slowReason(time_ms: number, rules: StatusRules): string | undefined {
  if (isFast(time_ms, rules)) return undefined
  return textOf('channels.slow', 'zh', { seconds: (time_ms / 1000).toFixed(2), threshold: (rules.slowest_ms / 1000).toFixed(2) })
}

function refusalReason(
  row: ChannelHealthRow,
  { failure }: NonNullable<ChannelTestResult['probe']>,
  rules: StatusRules,
): string | undefined {
  if (failure === undefined) return undefined
  const { mayDisable, keywords, statuses } = rules
  return judge(failure, {
    retries_left: 0,
    is_pinned: false,
    has_sent_bytes: false,
    channel_type: row.type,
    status_code_mapping: {},
    auto_disable: { is_enabled: mayDisable, auto_ban: row.auto_ban === 1, keywords, ...(statuses === undefined ? {} : { statuses }) },
  }).disable_reason
}
