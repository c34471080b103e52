// Charges a fixed set of usages for every model of the catalogue, compares with the calculators of its two sources, and writes the table.
// A person starts it (`npm run catalogue:check`).
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CatalogueModel } from '../../libs/contracts/src/models/model-catalogue.ts'
import { ZERO_USAGE, type Usage } from '../../libs/contracts/src/pricing/quote.ts'
import { MAKERS } from '../../libs/domain/src/model-catalogue/makers.ts'
import { priceOn } from '../../libs/domain/src/model-catalogue/price-entries.ts'
import { toPriceEntries, toPriceRow } from '../../libs/domain/src/model-catalogue/to-price-options.ts'
import { chargeOf } from '../../libs/domain/src/pricing/charge.ts'
import { quoteFor, withTiers } from '../../libs/domain/src/pricing/quote.ts'
import { builtInCatalogue } from '../../libs/providers/src/catalogue/models.gen.ts'
import { promptClasses } from '../../libs/providers/src/prompt-classes.ts'
import { table } from '../gen/markdown.ts'
import { GENAI, LITELLM } from './sources.ts'

type Counts = {
  readonly prompt: number
  readonly output: number
  readonly cached: number
  readonly written: number
  readonly audio: number
  readonly image: number
  readonly reasoning: number
}
type Case = {
  readonly maker: string
  readonly model: string
  readonly name: string
  readonly litellm: string
  readonly genai: string | undefined
  readonly tier: string
  readonly usage: Counts
  readonly dollars: number
}
type Priced = { readonly litellm: number | null; readonly genai: number | null }

const NONE: Counts = { prompt: 0, output: 0, cached: 0, written: 0, audio: 0, image: 0, reasoning: 0 }
const UNIT = 500_000

const cases = builtInCatalogue.models.flatMap(casesOf)
const priced = priceOutside(cases)
const known = cases.flatMap((one, at) => {
  const found = priced[at]
  return found === undefined ? [] : [{ ...one, found }]
})
writeFileSync(join(import.meta.dirname, '../../docs/generated/prices-check.md'), render())

function casesOf(model: CatalogueModel): Case[] {
  const price = priceOn(model, builtInCatalogue.date)
  if (price?.unit !== 'token' || toPriceEntries(model, price) === undefined || price.lines.output === undefined) return []
  const { lines, bands = [], tiers = {} } = price
  const plain = { ...NONE, prompt: 1000, output: 100 }
  const all: (readonly [string, Counts, string])[] = [
    ['plain', plain, ''],
    ...(lines.cache_read === undefined ? [] : [['cached', { ...plain, prompt: 10_000, cached: 8000 }, ''] as const]),
    ...(lines.cache_write === undefined ? [] : [['written', { ...plain, prompt: 10_000, written: 4000 }, ''] as const]),
    ...(lines.audio_in === undefined ? [] : [['audio', { ...plain, audio: 400 }, ''] as const]),
    ...(lines.image_in === undefined ? [] : [['image', { ...plain, image: 400 }, ''] as const]),
    ...(lines.reasoning === undefined ? [] : [['reasoning', { ...plain, output: 1000, reasoning: 600 }, ''] as const]),
    ...bands.flatMap(({ above }) =>
      [-1, 0, 1].map((step) => [`band ${above}${step < 0 ? '' : '+'}${step}`, { ...plain, prompt: above + step }, ''] as const),
    ),
    ...['batch', 'flex', 'priority']
      .filter((tier) => Object.hasOwn(tiers, tier))
      .map((tier) => [tier, { ...plain, prompt: 10_000, cached: lines.cache_read === undefined ? 0 : 4000 }, tier] as const),
  ]
  const maker = MAKERS.find(({ name }) => name === model.maker)
  if (maker === undefined) return []
  return all.map(([name, usage, tier]) => ({
    maker: maker.name,
    model: model.name,
    name,
    litellm: maker.litellm.provider,
    genai: maker.genai,
    tier,
    usage,
    dollars: dollarsOf(model, usage, tier),
  }))
}

function dollarsOf(model: CatalogueModel, counts: Counts, tier: string): number {
  const price = priceOn(model, builtInCatalogue.date)
  const entries = price === undefined ? {} : toPriceEntries(model, price)
  const row = toPriceRow(model.name, entries ?? {})
  const prices = () => row
  const quote = quoteFor({
    model: model.name,
    group: '',
    prices,
    group_ratio: 1,
    quota_per_unit: UNIT,
    price_version: 1,
    isUnpricedAllowed: false,
  })
  if (quote === 'unpriced') throw new Error(`${model.name} has no price`)
  const tiered = tier === '' ? quote : withTiers(quote, [tier], prices)
  if (tiered === 'unpriced-tier') throw new Error(`${model.name} has no price for ${tier}`)
  const { prompt, output, reasoning, ...rest } = counts
  const usage: Usage = { ...ZERO_USAGE, ...promptClasses({ prompt, ...rest }), text_out: output, reasoning, source: 'upstream' }
  return chargeOf(tiered, usage)
    .lines.filter(({ kind }) => kind !== 'rounding' && kind !== 'minimum')
    .reduce((sum, { quota }) => sum + Number(quota) / UNIT, 0)
}

function priceOutside(list: readonly Case[]): Priced[] {
  const folder = mkdtempSync(join(tmpdir(), 'prices-check-'))
  try {
    writeFileSync(join(folder, 'cases.json'), JSON.stringify(list))
    const run = (command: string, args: readonly string[]): string =>
      execFileSync(command, args, { cwd: folder, encoding: 'utf8', maxBuffer: 100_000_000, stdio: ['ignore', 'pipe', 'inherit'] })
    run('python3', ['-m', 'venv', 'venv'])
    run('venv/bin/pip', ['install', '--quiet', LITELLM, GENAI])
    // It writes one object per case, in the same order.
    run('venv/bin/python', [join(import.meta.dirname, 'check_prices.py'), 'cases.json', 'priced.json'])
    return JSON.parse(readFileSync(join(folder, 'priced.json'), 'utf8')) as Priced[]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function isNear(left: number, right: number | null): boolean {
  return right !== null && Math.abs(left - right) <= 1e-9 * Math.max(Math.abs(left), 1e-6)
}

/** Why neither source's calculator comes to the charge. */
function reasonOf({ maker, tier, found }: Case & { readonly found: Priced }): string {
  if (found.litellm === null && found.genai === null) return 'neither calculator knows the name'
  if (maker === 'DeepSeek') return 'the dearest hours are stored'
  if (tier === 'batch') return 'litellm states a batch price that its calculator does not use, and genai-prices has another or none'
  return ''
}

function render(): string {
  const makers = [...new Set(known.map(({ maker }) => maker))]
  const rows = makers.map((maker) => {
    const own = known.filter((one) => one.maker === maker)
    const both = own.filter(({ dollars, found }) => isNear(dollars, found.litellm) && isNear(dollars, found.genai)).length
    const one = own.filter(({ dollars, found }) => isNear(dollars, found.litellm) !== isNear(dollars, found.genai)).length
    return [maker, new Set(own.map(({ model }) => model)).size, own.length, both, one, own.length - both - one].map(String)
  })
  const differing = known.filter(({ dollars, found }) => !isNear(dollars, found.litellm) && !isNear(dollars, found.genai))
  const text = (value: number | null): string => (value === null ? '–' : String(Number(value.toPrecision(8))))
  return [
    '# Charges compared with the sources of the catalogue',
    '',
    `Written by \`npm run catalogue:check\` from the catalogue of ${builtInCatalogue.date}: a fixed set of usages for every model whose tokens have prices, charged through the stored options and by the calculators of ${LITELLM} and ${GENAI}.`,
    '',
    table(['maker', 'models', 'usages', 'as both', 'as one', 'as neither'], rows),
    '',
    '## As neither',
    '',
    differing.length === 0
      ? 'None.'
      : table(
          ['model', 'usage', 'charge', 'litellm', 'genai-prices', 'why'],
          differing.map((one) => [one.model, one.name, text(one.dollars), text(one.found.litellm), text(one.found.genai), reasonOf(one)]),
        ),
    '',
  ].join('\n')
}
