import { ChannelStatus } from '@tollgate/contracts/enums'
import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import { strategyOf } from '@tollgate/contracts/relay/routing-strategies'
import type { CandidateResult, RecordedChoice } from '@tollgate/contracts/relay/usage-event'
import type { Choice, ChoiceInput, ForecastInput } from '@tollgate/domain/channel-choice/choice'
import { findAffinityRule } from '@tollgate/domain/channel-choice/affinity-rules'
import { chooseChannel, hasUsable } from '@tollgate/domain/channel-choice/choose'
import { numbersOf, seedFrom } from '@tollgate/domain/channel-choice/numbers-of'
import { costRatioOf } from '@tollgate/domain/channel-choice/preference'
import { recordDraw } from '@tollgate/domain/channel-choice/record-choice'
import { wildcardOf } from '@tollgate/domain/pricing/gizmo'
import type { ApiFormat } from '@tollgate/providers/calls/api-format'
import { canServe } from '@tollgate/upstream/prepare'
import type { RuntimeConfig } from '../config/runtime-config.ts'
import type { ChannelHealth } from '../health/channel-health.ts'
import type { ChannelKey } from '../request/channel-key.ts'
import type { Admission } from '../request/admission.ts'
import type { ChannelCapacity } from '../limits/channel-capacity.ts'
import { affinityHeaders } from '../request/affinity-headers.ts'
import type { Held } from '../request/phases.ts'

/** The channel and key of one attempt. */
export type ChosenChannelKey = { readonly channel: ChannelSnapshot; readonly channelKey: ChannelKey }

/** The keys that a request has tried, by channel. */
export type Tried = Map<number, Set<string>>

export type ChooserInput = {
  readonly admission: Pick<Admission, 'group' | 'model' | 'channels'>
  readonly capacity: ChannelCapacity
  readonly tried: Tried
  /** The numbers of the request's draws. */
  readonly counter: DrawCounter
  /** The request may move to another group. */
  readonly has_groups?: boolean
  /** Another group is left, so no channel is chosen that pauses. */
  readonly needs_usable?: boolean
}
export type DrawCounter = { next: number }
export type ChooserDeps = {
  readonly config: RuntimeConfig
  readonly health: ChannelHealth
  readonly random: () => number
  readonly env: { readonly RELAY_REGION: string }
}

/**
 * Chooses the channel and key of each attempt, none twice, and adds the results of all candidates to the request's calls. A channel's own limits
 * are taken when it is chosen; a full channel is skipped. Returns undefined when no channel key is left.
 */
export function createChannelKeyChooser(
  held: Held,
  { admission, capacity, tried, counter, has_groups = false, needs_usable = false }: ChooserInput,
  { config, health, random, env }: ChooserDeps,
) {
  const { request, progress } = held
  const { calls } = progress
  const { content, chat } = request
  const { channels } = admission
  const { model: served } = admission
  const model = wildcardOf(served) ?? served
  /** The model, if it is another than the requested one. */
  const other = served === chat.model ? undefined : served
  const affinity_key = affinityKeyOf(held, admission, config)
  calls.session ??= affinity_key?.toString(36)
  const bound = request.conversation?.bound
  const keysOf = bound === undefined ? config.keyIdsOf : () => [bound.key_id]
  const formatFor = (formats: readonly ApiFormat[]) => content.formatFor(formats, other)
  const skip = (channel: ChannelSnapshot) => {
    if (!canServe({ channel, model: served, request: chat, own: request.operation.name, formatFor })) return 'unsupported'
    return capacity.isFull(channel) ? 'limit-reached' : undefined
  }
  const { has_exact_weights } = config.settings
  const strategy = strategyOf(config.settings.strategies, admission.group)
  const inputFor = (retries_left: number): ForecastInput => {
    const { latencies, costs } = health
    return {
      channels,
      tried,
      affinity_key,
      retries_left,
      keysOf,
      healthOf: ({ id }) => health.of(id, model),
      skip,
      needs_usable,
      now: held.context.clock.started_at,
      strategy,
      latencyOf: ({ id }) => latencies.get(id),
      model: served,
      costOf: (channel) => costs(channel.id, served, costRatioOf(channel, served)),
      region: env.RELAY_REGION,
      has_exact_weights,
    }
  }
  const recorded = (calls.choice ??= startChoice(env.RELAY_REGION, random))
  if (has_exact_weights) recorded.exact_weights = true
  if (affinity_key !== undefined) recorded.affinity_key = affinity_key
  const take = (n: number, { choice, input }: Draw): ChosenChannelKey | undefined => {
    const { channel, key_id, candidates } = choice
    const group = has_groups ? admission.group : undefined
    recorded.draws.push(recordDraw(choice, input, { n, at: recorded.draws.length, group, model: other }))
    calls.candidates = mergeResults(
      calls.candidates,
      other === undefined ? candidates : candidates.map((row) => ({ ...row, model: other })),
    )
    if (channel === undefined) return undefined
    const channelKey = { channel_id: channel.id, model, key_id }
    calls.channel = channel
    calls.channelKey = channelKey
    tried.set(channel.id, (tried.get(channel.id) ?? new Set()).add(key_id))
    return { channel, channelKey }
  }
  const choose = (retries_left: number): ChosenChannelKey | undefined | Promise<ChosenChannelKey | undefined> => {
    const n = counter.next
    counter.next += 1
    const input = { ...inputFor(retries_left), random: numbersOf(recorded.seed, n), turnOf }
    const choice = chooseChannel(input)
    const taking = choice.channel === undefined || capacity.take(choice.channel)
    return taking === true ? take(n, { choice, input }) : taking.then((has) => (has ? take(n, { choice, input }) : choose(retries_left)))
  }
  /** Why no channel can be chosen now. */
  const lack = (): 'unsupported' | 'no-channel' => {
    const enabled = channels.filter(({ status }) => status === ChannelStatus.enabled)
    return enabled.every((channel) => skip(channel) === 'unsupported') ? 'unsupported' : 'no-channel'
  }
  return { choose, hasUsable: () => hasUsable(inputFor(0)), lack }
}

type Draw = { readonly choice: Choice; readonly input: ChoiceInput }

function startChoice(region: string, random: () => number): RecordedChoice {
  return { seed: seedFrom(random), draws: [], ...(region === '' ? {} : { region }) }
}

/** A hash of the conversation, which sends its requests to the same channel key; undefined when there is only one. */
function affinityKeyOf(held: Held, admission: ChooserInput['admission'], { settings, keyIdsOf }: RuntimeConfig): number | undefined {
  const [first, ...others] = admission.channels
  const hasChoice = others.length > 0 || (first !== undefined && keyIdsOf(first).length > 1)
  if (!settings.is_affine || !hasChoice) return undefined
  const { context, caller, request, progress } = held
  const { calls } = progress
  const rule = findAffinityRule(settings.affinity_rules, { model: request.chat.model, path: context.path })
  calls.stays_on_channel = rule?.retry === false
  return request.content.affinityKeyFor({
    user_id: caller.record.user_id,
    prompt_tokens: calls.group.costEstimate.prompt_tokens,
    rule,
    headers: affinityHeaders(context, rule === undefined ? [] : [rule]),
  })
}

const turns = new WeakMap<ChannelSnapshot, number>()

/** Counted per process, which distributes as evenly as a shared counter. */
function turnOf(channel: ChannelSnapshot): number {
  const turn = turns.get(channel) ?? 0
  turns.set(channel, turn + 1)
  return turn
}

/** A channel that was chosen once stays `chosen`; for the others the newest result counts. Those of earlier groups and models come first. */
function mergeResults(before: readonly CandidateResult[], now: CandidateResult[]): CandidateResult[] {
  if (before.length === 0) return now
  const model = now[0]?.model
  const same = before.filter((row) => row.model === model)
  const chosen = new Map(same.filter(({ result }) => result === 'chosen').map((row) => [row.channel_id, row]))
  const listed = new Set(now.map(({ channel_id }) => channel_id))
  const earlier = before.filter((row) => row.model !== model || !listed.has(row.channel_id))
  return [...earlier, ...now.map((row) => chosen.get(row.channel_id) ?? row)]
}
