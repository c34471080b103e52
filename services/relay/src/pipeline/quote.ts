import { AppError } from '@tollgate/contracts/app-error'
import type { Quote } from '@tollgate/contracts/quote'
import { groupRatioOf } from '@tollgate/domain/pricing/group-ratio'
import { holdFor } from '@tollgate/domain/pricing/hold'
import { imageOutputTokens } from '@tollgate/domain/pricing/image'
import { quoteFor } from '@tollgate/domain/pricing/quote'
import type { RuntimeConfig } from '../config/runtime-config.ts'
import { BoundedMap } from '../cache/bounded-map.ts'
import type { RequestContext } from '../request/context.ts'
import type { Admission } from './admit.ts'
import type { Caller } from './identify.ts'
import type { ParsedRequest } from './read.ts'

/** The numbers a charge depends on, taken once, and what they mean for the hold. */
export type CostEstimate = {
  readonly quote: Quote
  readonly prompt_tokens: number
  /** Prompt, and what the answer may be: what limits of tokens per minute are taken by. */
  readonly tokens: number
  readonly want: number
  readonly least: number
}

type Deps = { readonly config: RuntimeConfig; readonly random: () => number }
type Input = { readonly caller: Caller; readonly request: ParsedRequest; readonly admission: Admission }

/** Prices the request from the snapshot. A missing price refuses it, unless self-use mode or the user's own setting says otherwise. */
export function quote(context: RequestContext, input: Input, { config, random }: Deps): CostEstimate {
  context.clock.enter('quote')
  const { settings } = config
  const { request } = input
  const { chat } = request
  const asked = chat.priced
  const found = asked === undefined ? knownQuote(input, config) : makeQuote(input, config)
  if (found === 'unpriced') throw new AppError('model.unpriced', { model: chat.model })
  const prompt_tokens = request.content.estimate(random)
  if (request.operation.isFree === true) return { quote: found, prompt_tokens, tokens: 0, want: 0, least: 0 }
  const max_tokens = maxTokens(chat, found)
  const hold = holdFor(found, {
    prompt_tokens,
    max_tokens,
    hold_output_tokens: settings.hold_output_tokens,
    pre_consumed: settings.pre_consumed_quota,
    classes: chat.classes,
    ...(asked?.tools === undefined ? {} : { tools: asked.tools }),
  })
  return { quote: found, prompt_tokens, tokens: prompt_tokens + (max_tokens ?? settings.hold_output_tokens), ...hold }
}

function makeQuote(
  { caller: { record }, request: { chat }, admission: { group } }: Input,
  { settings, snapshot }: RuntimeConfig,
): Quote | 'unpriced' {
  return quoteFor({
    model: chat.model,
    group,
    prices: (model) => snapshot.prices.get(model),
    ...groupRatioOf(snapshot.groups.get(group), record.user_group),
    quota_per_unit: settings.quota_per_unit,
    price_version: snapshot.version,
    isUnpricedAllowed: settings.is_self_use || record.accept_unset_model_ratio_model,
    tool_prices: settings.tool_prices,
    ...(chat.priced === undefined ? {} : { asked: chat.priced }),
  })
}

const MAX_KNOWN = 1000
type Known = { readonly version: number; readonly quotes: BoundedMap<Quote | 'unpriced'> }
const known = new WeakMap<RuntimeConfig, Known>()

/** The quote of a request without tools and images of its own: the same for everybody until the configuration changes. */
function knownQuote(input: Input, config: RuntimeConfig): Quote | 'unpriced' {
  const { quotes } = knownOf(config)
  const { group } = input.admission
  const { user_group, accept_unset_model_ratio_model } = input.caller.record
  // With both lengths in front, no two of them read alike.
  const key = `${group.length} ${user_group.length} ${accept_unset_model_ratio_model} ${group}${user_group}${input.request.chat.model}`
  const found = quotes.get(key) ?? makeQuote(input, config)
  quotes.set(key, found)
  return found
}

function knownOf(config: RuntimeConfig): Known {
  const { version } = config.snapshot
  const before = known.get(config)
  if (before?.version === version) return before
  const now = { version, quotes: new BoundedMap<Quote | 'unpriced'>(MAX_KNOWN) }
  known.set(config, now)
  return now
}

/** What limits the answer: the client, or the number and size of the images it asks of a model that prices them by token. */
function maxTokens({ max_tokens, priced }: ParsedRequest['chat'], { mode }: Quote): number | undefined {
  if (max_tokens !== undefined || mode === 'price' || priced?.image === undefined) return max_tokens
  return imageOutputTokens(priced.image)
}
