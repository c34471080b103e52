import { AppError } from '@tollgate/contracts/app-error'
import type { CatalogueModel, CataloguePrice } from '@tollgate/contracts/models/model-catalogue'
import type { CatalogueRow, CatalogueView } from '@tollgate/contracts/resources/prices'
import type { HealthParts } from '@tollgate/contracts/resources/health'
import { DAY_SECONDS } from '@tollgate/contracts/units'
import { ownValue } from '@tollgate/contracts/values/own-value'
import { utcDay } from '@tollgate/contracts/values/utc-day'
import { listEnabledModels } from '@tollgate/db/queries/channels/abilities'
import type { OpenQuestion } from '@tollgate/domain/model-catalogue/merge'
import { pricedModels, type PricedModel } from '@tollgate/domain/model-catalogue/price-entries'
import { readCatalogueFile } from '@tollgate/domain/model-catalogue/read-file'
import { toPriceEntries } from '@tollgate/domain/model-catalogue/to-price-options'
import { lacksOutputPrice } from '@tollgate/domain/pricing/output-price'
import { fetchFile } from '@tollgate/outbound/fetch-file'
import { builtInCatalogue } from '@tollgate/providers/catalogue/models.gen'
import { nowSeconds, type Deps } from '../../deps.ts'
import { retiringUntil } from './retiring.ts'

/** The catalogue of this version. */
export function builtInView(deps: Deps): Promise<CatalogueView> {
  return view(deps, { ...builtInCatalogue, source: 'built-in', questions: [] })
}

/** Reads the catalogue of another party, through the address guard. Nothing is stored. */
export async function readCatalogueAt(deps: Deps, address: string): Promise<CatalogueView> {
  const file = readCatalogueFile(await fetchText(deps, address))
  if ('fault' in file) throw new AppError('option.catalogue-format')
  return await view(deps, { source: address, date: file.date ?? '', models: file.models, questions: file.questions })
}

async function fetchText({ outbound, log }: Deps, address: string): Promise<string> {
  const fetched = await fetchFile(outbound, address)
  if ('text' in fetched) return fetched.text
  const { reason, cause } = fetched
  if (cause !== undefined) log.warn({ err: cause }, 'A price catalogue could not be read')
  throw new AppError('option.catalogue-unreachable', { reason }, cause === undefined ? {} : { cause })
}

type Read = {
  readonly date: string
  readonly models: readonly CatalogueModel[]
  readonly source: string
  readonly questions: readonly OpenQuestion[]
}

async function view(deps: Deps, { source, date, models, questions }: Read): Promise<CatalogueView> {
  const served = new Set(await listEnabledModels(deps.db))
  const today = utcDay(nowSeconds(deps))
  const rows = [...pricedModels({ models, date: today })].flatMap(([name, priced]) =>
    name === priced.model.name || served.has(name) ? [rowOf(name, priced, { today, is_served: served.has(name) })] : [],
  )
  const known = new Set(models.flatMap(({ name, aliases = [] }) => [name, ...aliases]))
  return {
    source,
    date,
    rows,
    suspect_prices: questions.map(({ model, question }) => ({ model, question })),
    unknown: [...served].filter((name) => !known.has(name)).toSorted(),
  }
}

/** The row of a model under its own name, or under an alias that a channel serves. */
function rowOf(
  name: string,
  { model, price, entries }: PricedModel,
  { today, is_served }: { readonly today: string; readonly is_served: boolean },
): CatalogueRow {
  const { maker, mode, page, retires, successor } = model
  return {
    name,
    maker,
    mode,
    lines: price.lines,
    ...(price.each === undefined ? {} : { each: price.each }),
    entries,
    coming: comingOf(model, today),
    sources: [...price.sources],
    ...(page === undefined ? {} : { page }),
    ...(retires === undefined ? {} : { retires }),
    ...(successor === undefined ? {} : { successor }),
    is_served,
  }
}

function comingOf(model: CatalogueModel, today: string): CatalogueRow['coming'] {
  return model.prices.flatMap((price: CataloguePrice) => {
    const { from = '' } = price
    const entries = from > today ? toPriceEntries(model, price) : undefined
    return entries === undefined ? [] : [{ from, lines: price.lines, entries }]
  })
}

/** A model that ends within this time is named on the health page. */
const RETIREMENT_NOTICE_S = 31 * DAY_SECONDS

/** Served models whose answers are charged by a guessed ratio, and those that their maker stops serving soon. */
export async function readSold(deps: Pick<Deps, 'db' | 'options' | 'now'>): Promise<NonNullable<HealthParts['sold']>> {
  const [served, options] = await Promise.all([listEnabledModels(deps.db), deps.options.all()])
  const guessed = served.filter((model) => {
    if (Object.hasOwn(options.ModelPrice, model)) return false
    return lacksOutputPrice(model, {
      ratio: ownValue(options.ModelRatio, model),
      completion_ratio: ownValue(options.CompletionRatio, model),
      image_completion_ratio: ownValue(options.ImageCompletionRatio, model),
      audio_completion_ratio: ownValue(options.AudioCompletionRatio, model),
    })
  })
  const names = new Set(served)
  const retiring = retiringUntil(nowSeconds(deps) + RETIREMENT_NOTICE_S)
    .filter(({ model }) => names.has(model))
    .map(({ successor = '', ...rest }) => ({ ...rest, successor }))
  return { without_output: guessed, retiring: retiring.toSorted((left, right) => (left.retires < right.retires ? -1 : 1)) }
}
