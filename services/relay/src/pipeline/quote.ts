import { AppError } from '@tollgate/contracts/app-error'
import { allowsOption } from '@tollgate/contracts/pricing/priced-options'
import type { Quote } from '@tollgate/contracts/pricing/quote'
import { holdFor } from '@tollgate/domain/pricing/hold'
import { imageOutputTokens } from '@tollgate/domain/pricing/image'
import { weekMinuteOf, withHours } from '@tollgate/domain/pricing/hours'
import { withOthers, withTiers } from '@tollgate/domain/pricing/quote'
import type { OtherModel } from '@tollgate/providers/chat/priced-options'
import type { CostEstimate, PricedGroup } from '../request/cost-estimate.ts'
import type { RuntimeConfig } from '../config/runtime-config.ts'
import { BoundedMap } from '@tollgate/contracts/values/bounded-map'
import { catchRefusal } from '../errors/catch-refusal.ts'
import type { RequestContext } from '../request/context.ts'
import type { Admission } from '../request/admission.ts'
import type { Caller } from '../request/caller.ts'
import { asModel, type ParsedRequest } from '../request/parsed-request.ts'
import { isUnpricedAllowed, quoteModel } from '../usage/quote-model.ts'

type Deps = { readonly config: RuntimeConfig; readonly sample_seed: number }
type Group = Pick<Admission, 'group' | 'model' | 'tiers' | 'channels'>
type Input<G extends Group = Group> = { readonly caller: Caller; readonly request: ParsedRequest; readonly admission: G }
/** Prices depend on when the request began, in Unix milliseconds. */
type Timed = Input & { readonly started_at: number }

/** Prices the request from the snapshot. Refuses a model without a price, unless self-use mode or the user's setting allows it. */
export function quote(context: RequestContext, input: Input, { config, sample_seed }: Deps): CostEstimate {
  context.clock.enter('quote')
  return quoteGroup({ ...input, started_at: context.clock.started_at }, promptOf(input, sample_seed), config)
}

const promptOf = ({ request: { content, cached_tokens = 0 }, admission: { model } }: Input, sample_seed: number): number =>
  content.estimate(sample_seed, model) + cached_tokens

/** The prices of the later groups and models of a request; a group that has none for the model is left out. */
export function quoteNextGroups(
  { admission: { next_groups = [], model }, ...input }: Input<Admission> & Timed,
  first: CostEstimate,
  { config, sample_seed }: Deps,
): PricedGroup[] {
  return next_groups.flatMap((next) => {
    const own = { ...input, admission: next }
    const prompt_tokens = next.model === model ? first.prompt_tokens : promptOf(own, sample_seed)
    const costEstimate = catchRefusal(() => quoteGroup(own, prompt_tokens, config))
    return costEstimate === undefined ? [] : [{ ...next, costEstimate }]
  })
}

/** The admission to the next model of its chain, because this one has no price; undefined: there is none. */
export function withoutUnpriced({ chain, next_groups = [], ...admission }: Admission): Admission | undefined {
  const later = next_groups.filter(({ model }) => model !== admission.model)
  const [next, ...rest] = later
  if (chain === undefined || next === undefined) return undefined
  const { tiers: _, ...others } = admission
  const passed = [...chain.passed, { model: admission.model, reason: 'unpriced' as const }]
  return { ...others, ...next, chain: { ...chain, passed }, next_groups: rest }
}

/** The hold of a request that may move on: the largest of its groups, and at least that of the first. */
export function maxHoldEstimate(first: CostEstimate, next_groups: readonly PricedGroup[]): CostEstimate {
  return next_groups.length === 0
    ? first
    : { ...first, want: Math.max(first.want, ...next_groups.map(({ costEstimate }) => costEstimate.want)) }
}

function quoteGroup({ request: asked, ...given }: Timed, prompt_tokens: number, config: RuntimeConfig): CostEstimate {
  const { settings } = config
  const input = { ...given, request: asModel(asked, given.admission.model) }
  const { request } = input
  const { chat } = request
  const extras = chat.priced
  const normal = extras === undefined ? cachedQuote(input, config) : makeQuote(input, config)
  if (normal === 'unpriced') throw new AppError('model.unpriced', { model: chat.model })
  const others = othersOf(input)
  const found = withOtherModels(inHours(inTiers(normal, input.admission.tiers, config), input, config), others, { input, config })
  const { pricedBy } = request.operation
  if (pricedBy !== undefined && found.tools?.[pricedBy] === undefined)
    throw new AppError('model.unpriced', { model: `${chat.model} (${pricedBy})` })
  if (request.operation.isFree === true) return { quote: found, prompt_tokens, tokens: 0, want: 0, least: 0 }
  const characters = found.mode === 'ratio' && found.speech === 'character' ? extras?.speech?.characters : undefined
  const prompt_units = characters ?? prompt_tokens
  const max_tokens = characters === undefined ? maxTokens(chat, found, others) : 0
  const hold = holdFor(found, {
    prompt_tokens: prompt_units,
    max_tokens,
    hold_output_tokens: settings.hold_output_tokens * chat.n,
    pre_consumed: settings.pre_consumed_quota,
    ...(characters === undefined ? { classes: chat.classes } : {}),
    ...(extras?.tools === undefined ? {} : { tools: extras.tools }),
  })
  return { quote: found, prompt_tokens, tokens: prompt_units + (max_tokens ?? settings.hold_output_tokens), ...hold }
}

function inTiers(quote: Quote, tiers: readonly string[] | undefined, { snapshot }: RuntimeConfig): Quote {
  if (tiers === undefined) return quote
  const priced = withTiers(quote, tiers, (name) => snapshot.prices.get(name))
  if (priced === 'unpriced-tier') throw new AppError('model.unpriced-tier', { model: quote.model, tier: tiers.join(', ') })
  return priced
}

function inHours(quote: Quote, { started_at }: Timed, { snapshot }: RuntimeConfig): Quote {
  const { hours } = snapshot.prices.get(quote.model) ?? {}
  return hours === undefined ? quote : withHours(quote, hours, weekMinuteOf(started_at))
}

/** More would not fit the event of a request; vendors take three. */
const MAX_OTHERS = 5

/** The other models that may serve a part of the request: those of options only where its channels pass the option on. */
function othersOf({ request: { chat }, admission: { channels } }: Input): readonly OtherModel[] {
  const { other_models = NO_OTHERS } = chat
  if (other_models.length === 0) return NO_OTHERS
  const others = other_models.filter(({ option }) => option === undefined || channels.some((channel) => allowsOption(channel, option)))
  if (others.length > MAX_OTHERS) throw new AppError('request.field', { detail: `at most ${MAX_OTHERS} models beside the requested one` })
  return others
}

const NO_OTHERS: readonly OtherModel[] = []

function withOtherModels(
  quote: Quote,
  others: readonly OtherModel[],
  { input, config }: { readonly input: Input; readonly config: RuntimeConfig },
): Quote {
  if (others.length === 0) return quote
  const found = withOthers(
    quote,
    others.map(({ model }) => model),
    {
      prices: (name) => config.snapshot.prices.get(name),
      isUnpricedAllowed: isUnpricedAllowed(input.caller.record, config),
      isOutputRequired: config.settings.is_output_price_required,
    },
  )
  if ('unpriced' in found) throw new AppError('model.unpriced', { model: found.unpriced })
  return found
}

function makeQuote({ caller: { record }, request: { chat }, admission: { group } }: Input, config: RuntimeConfig): Quote | 'unpriced' {
  return quoteModel(chat.model, { record, group, priced: chat.priced }, config)
}

const MAX_CACHED = 1000
/** A client chooses the model's name and so the length of the key. */
const CACHE_BYTES = { max: 8 * 1024 * 1024, of: () => 2000 }
type QuoteCache = { readonly version: number; readonly quotes: BoundedMap<Quote | 'unpriced'> }
const caches = new WeakMap<RuntimeConfig, QuoteCache>()

/** The quote of a request without priced extras, which is the same for all callers until the configuration changes. */
function cachedQuote(input: Input, config: RuntimeConfig): Quote | 'unpriced' {
  const { quotes } = cacheOf(config)
  const { group } = input.admission
  const { user_group, accept_unset_model_ratio_model } = input.caller.record
  // The two lengths make the key unambiguous.
  const key = `${group.length} ${user_group.length} ${accept_unset_model_ratio_model} ${group}${user_group}${input.request.chat.model}`
  const found = quotes.get(key) ?? makeQuote(input, config)
  quotes.set(key, found)
  return found
}

function cacheOf(config: RuntimeConfig): QuoteCache {
  const { version } = config.snapshot
  const before = caches.get(config)
  if (before?.version === version) return before
  const now = { version, quotes: new BoundedMap<Quote | 'unpriced'>(MAX_CACHED, CACHE_BYTES) }
  caches.set(config, now)
  return now
}

/** The maximum output: the client's limit, or the tokens of the images or the video it asks for from a model that prices them by token. */
function maxTokens({ max_tokens, priced }: ParsedRequest['chat'], { mode }: Quote, others: readonly OtherModel[]): number | undefined {
  if (priced?.video !== undefined) return mode === 'price' ? 0 : (priced.video.tokens ?? 0)
  if (max_tokens !== undefined && others.length > 0) return Math.max(max_tokens, ...others.map((other) => other.max_tokens ?? 0))
  if (max_tokens !== undefined || mode === 'price' || priced?.image === undefined) return max_tokens
  return imageOutputTokens(priced.image)
}
