import { createHash } from 'node:crypto'
import type { OptionValues } from '@tollgate/contracts/options/registry'
import type { PricingAnswer, PricingRow, UnpricedModel } from '@tollgate/contracts/resources/pricing'
import { DAY_SECONDS, type Ratio } from '@tollgate/contracts/units'
import { listEnabledModelGroups, listEnabledModels } from '@tollgate/db/queries/channels/abilities'
import { listPriceChanges } from '@tollgate/db/queries/prices/price-changes'
import { getPricingFingerprint } from '@tollgate/db/queries/installation/snapshot'
import { endpointTypesOf, vendorOfModel } from '@tollgate/domain/display/model-facts'
import { listedPrice } from '@tollgate/domain/pricing/price-list'
import { groupRatioOf } from '@tollgate/domain/pricing/group-ratio'
import { toGroupSnapshots } from '@tollgate/domain/pricing/price-snapshots'
import { nowSeconds, type Deps } from '../../deps.ts'
import { retiringUntil } from '../prices/retiring.ts'
import { usableGroups } from '../self/usable-groups.ts'
import { comingOptions, priceChangesOf, type Coming } from './coming.ts'
import { quoterOf } from './quoter.ts'

/** An answer as text, with a tag of its content. The tag is weak, because compressed forms share it. */
export type TaggedPricing = { readonly body: string; readonly tag: string }
/** `accepts`: this visitor's own setting accepts models without a price. */
type Visitor = { readonly group: string; readonly accepts: boolean }
export type Pricing = { get(visitor: Visitor): Promise<TaggedPricing> }

type Computed = { readonly fingerprint: string; readonly lists: Promise<Lists>; readonly byVisitor: Map<string, Promise<TaggedPricing>> }

/** All models: for visitors who accept models without a price, and for others. */
type Lists = { readonly accepting: PriceList; readonly refusing: PriceList }

/**
 * Prices of all models that an enabled channel serves, and the groups that this visitor may use. Computed when an option or a channel has
 * changed since the last call, whichever control plane changed it; otherwise the answer of the visitor's group is kept.
 */
export function createPricing(deps: Deps): Pricing {
  let computed: Computed | undefined
  return {
    get: async (visitor) => {
      const fingerprint = await getPricingFingerprint(deps.db)
      const current = computed?.fingerprint === fingerprint ? computed : { fingerprint, lists: computeLists(deps), byVisitor: new Map() }
      computed = current
      const key = JSON.stringify([visitor.group, visitor.accepts])
      const known =
        current.byVisitor.get(key) ??
        current.lists.then(({ accepting, refusing }) => renderAnswer(deps, visitor.group, visitor.accepts ? accepting : refusing))
      current.byVisitor.set(key, known)
      try {
        return await known
      } catch (error) {
        // A failure is not kept.
        if (computed === current) computed = undefined
        throw error
      }
    },
  }
}

async function computeLists(deps: Deps): Promise<Lists> {
  const [offered, options, changes] = await Promise.all([listEnabledModelGroups(deps.db), deps.options.all(), listPriceChanges(deps.db, 0)])
  const coming = comingOptions(options, changes)
  const retiring: Retiring = new Map(retiringUntil(nowSeconds(deps) + NOTICE_S).map(({ model, ...ending }) => [model, ending]))
  const accepting = toPriceList(offered, options, { isUnpricedAllowed: true, coming, retiring })
  return {
    accepting,
    refusing: options.SelfUseModeEnabled ? accepting : toPriceList(offered, options, { isUnpricedAllowed: false, coming, retiring }),
  }
}

type Retiring = ReadonlyMap<string, Pick<PricingRow, 'retires' | 'successor'>>
const NONE_RETIRING: Retiring = new Map()
/** A model that ends within this time is marked in the list. */
const NOTICE_S = 92 * DAY_SECONDS

/** Groups that the visitor does not have, and models of such groups only, are not shown. */
async function renderAnswer(deps: Deps, group: string, { data, unpriced_models }: PriceList): Promise<TaggedPricing> {
  const groups = Object.entries(await usableGroups(deps, group))
  const own = new Set(groups.map(([name]) => name))
  const answer: PricingAnswer = {
    success: true,
    message: '',
    data: withinGroups(data, own),
    unpriced_models: withinGroups(unpriced_models, own),
    group_ratio: Object.fromEntries(groups.map(([name, { ratio }]) => [name, ratio])),
    usable_group: Object.fromEntries(groups.map(([name, { desc }]) => [name, desc])),
  }
  const body = JSON.stringify(answer)
  return { body, tag: `W/"${createHash('sha256').update(body).digest('base64url')}"` }
}

function withinGroups<T extends { readonly enable_groups: string[]; readonly group_ratios?: Record<string, Ratio> | undefined }>(
  rows: readonly T[],
  own: ReadonlySet<string>,
): T[] {
  return rows.flatMap((row) => {
    const enable_groups = row.enable_groups.filter((name) => own.has(name))
    return enable_groups.length === 0 ? [] : [{ ...row, enable_groups, ...ratiosWithin(row, own) }]
  })
}

function ratiosWithin(
  { group_ratios }: { readonly group_ratios?: Record<string, Ratio> | undefined },
  own: ReadonlySet<string>,
): Pick<PricingRow, 'group_ratios'> {
  return group_ratios === undefined
    ? {}
    : { group_ratios: Object.fromEntries(Object.entries(group_ratios).filter(([name]) => own.has(name))) }
}

type Offered = { readonly model: string; readonly groups: string[] }

type PriceList = Pick<PricingAnswer, 'data' | 'unpriced_models'>

/** Rows by the same rules as charges: a price per call takes precedence, wildcards and ratios of families apply. */
export function toPriceList(
  offered: readonly Offered[],
  options: OptionValues,
  {
    isUnpricedAllowed,
    coming = [],
    retiring = NONE_RETIRING,
  }: { readonly isUnpricedAllowed: boolean; readonly coming?: readonly Coming[]; readonly retiring?: Retiring },
): PriceList {
  const quoteOf = quoterOf(options)
  const ratiosOf = groupRatiosOf(options)
  const later = coming.map(({ at, options: changed }) => ({ at, quoteOf: quoterOf(changed) }))
  const data: PricingRow[] = []
  const unpriced_models: UnpricedModel[] = []
  for (const { model, groups } of offered) {
    const quote = quoteOf(model, isUnpricedAllowed)
    const facts = {
      model_name: model,
      vendor: vendorOfModel(model) ?? '',
      enable_groups: groups,
      supported_endpoint_types: [...endpointTypesOf(model)],
    }
    const ending = retiring.get(model) ?? {}
    if (quote === 'unpriced') unpriced_models.push(facts)
    else {
      const price = { ...listedPrice(quote), ...hoursOf(options, model) }
      const own = ratiosOf(model, groups)
      const changes = priceChangesOf(
        price,
        later.map(({ at, quoteOf: quoteThen }) => ({ at, quote: quoteThen(model, isUnpricedAllowed) })),
      )
      data.push({
        ...facts,
        ...ending,
        ...price,
        owner_by: '',
        ...(Object.keys(own).length === 0 ? {} : { group_ratios: own }),
        ...(changes.length === 0 ? {} : { coming: changes }),
      })
    }
  }
  return { data, unpriced_models }
}

const hoursOf = ({ PriceHours }: OptionValues, model: string): Pick<PricingRow, 'price_hours'> =>
  Object.hasOwn(PriceHours, model) ? { price_hours: PriceHours[model] } : {}

/** Ratios of a model in its groups, where they are set for this model. */
function groupRatiosOf(options: OptionValues): (model: string, groups: readonly string[]) => Record<string, Ratio> {
  const rows = new Map(toGroupSnapshots(options).map((row) => [row.name, row]))
  return (model, groups) =>
    Object.fromEntries(
      groups.flatMap((name) => {
        const { group_ratio, group_model } = groupRatioOf(rows.get(name), { userGroup: '', model })
        return group_model === undefined ? [] : [[name, group_ratio] as const]
      }),
    )
}

/** The models without a price of their own that are not marked as unsold. */
export function withoutPrice(models: readonly string[], options: OptionValues, hasPrice = priceCheck(options)): string[] {
  const unsold = new Set(options.UnsoldModels)
  return models.filter((model) => !unsold.has(model) && !hasPrice(model))
}

/** Models of enabled channels whose requests are refused because they have no price; users who accept such models can call them. */
export async function listUnpricedModels(deps: Pick<Deps, 'db' | 'options'>): Promise<string[]> {
  const [enabled, options] = await Promise.all([listEnabledModels(deps.db), deps.options.all()])
  if (options.SelfUseModeEnabled) return []
  return withoutPrice(enabled, options)
}

/** True if a model has its own price, by the same rules as charges. */
export function priceCheck(options: OptionValues): (model: string) => boolean {
  const quoteOf = quoterOf(options)
  return (model) => quoteOf(model, false) !== 'unpriced'
}
