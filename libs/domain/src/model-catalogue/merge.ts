import type { CatalogueModel, CataloguePrice } from '@tollgate/contracts/models/model-catalogue'
import { faultsOf } from './check.ts'
import { isSame, isZero } from './dollars.ts'
import { MAKERS } from './makers.ts'
import type { WitnessedModel } from './read-genai.ts'

/** A person's choice between sources that disagree, with the reason. */
export type Decision = { readonly model: string; readonly take: 'litellm' | 'genai-prices' | 'none'; readonly reason: string }

/** Something that a person has to look at; the model has no price until then. */
export type OpenQuestion = { readonly maker: string; readonly model: string; readonly question: string }

export type Merged = { readonly models: readonly CatalogueModel[]; readonly questions: readonly OpenQuestion[] }

/**
 * One catalogue from two: prices that both state alike, or that one states alone. Where they differ, and where a price looks wrong, a
 * decision is needed; without one the model has no price.
 */
export function mergeCatalogues(
  first: readonly CatalogueModel[],
  second: readonly WitnessedModel[],
  decisions: readonly Decision[] = [],
): Merged {
  const questions: OpenQuestion[] = []
  const witnesses = new Map(second.flatMap((model) => model.aliases.map((alias) => [keyOf(model.maker, alias), model] as const)))
  for (const model of second) witnesses.set(keyOf(model.maker, model.name), model)
  const names = new Set(first.map(({ maker, name }) => keyOf(maker, name)))
  const models = first.map((model): CatalogueModel => {
    const witness = witnesses.get(keyOf(model.maker, model.name))
    const decision = decisions.find(({ model: name }) => name === model.name)
    const [own] = model.prices
    const [other, ...coming] = witness?.prices ?? []
    const { price, question } = choose(model, own, other, decision)
    if (question !== undefined) questions.push({ maker: model.maker, model: model.name, question })
    const isSameModel = witness !== undefined && keyOf(model.maker, witness.name) === keyOf(model.maker, model.name)
    const aliases = isSameModel ? witness.aliases.filter((alias) => !names.has(keyOf(model.maker, alias))) : []
    return {
      ...model,
      ...(aliases.length === 0 ? {} : { aliases: [...aliases] }),
      prices: price === undefined ? [] : [price, ...coming],
    }
  })
  const known = new Set(models.flatMap(({ maker, name, aliases = [] }) => [name, ...aliases].map((each) => keyOf(maker, each))))
  models.push(
    ...second
      .filter(({ maker, name, prices }) => prices.length > 0 && !known.has(keyOf(maker, name)) && isOwnName(maker, name))
      .map(toModel),
  )
  return withoutDoubts(ofTheirMakers(models), questions, decisions)
}

/** A name at several makers is the one's whose model it is: those who also serve models of others come last in the list of makers. */
function ofTheirMakers(models: readonly CatalogueModel[]): CatalogueModel[] {
  const order = new Map(MAKERS.map(({ name }, at) => [name, at]))
  const found = new Map<string, CatalogueModel>()
  for (const model of models) {
    const other = found.get(model.name)
    if (other === undefined || (order.get(model.maker) ?? 0) < (order.get(other.maker) ?? 0)) found.set(model.name, model)
  }
  return [...found.values()]
}

function withoutDoubts(models: readonly CatalogueModel[], questions: OpenQuestion[], decisions: readonly Decision[]): Merged {
  const spread = spreadFaults(models)
  for (const question of spread) if (!decisions.some(({ model }) => model === question.model)) questions.push(question)
  const doubted = new Set(questions.map(({ maker, model }) => keyOf(maker, model)))
  return { models: models.map((model) => (doubted.has(keyOf(model.maker, model.name)) ? { ...model, prices: [] } : model)), questions }
}

/** One catalogue writes some names in capitals that the other does not. */
const keyOf = (maker: string, name: string): string => `${maker}/${name.toLowerCase()}`

/** Google resells Claude under the names of Anthropic; a colon or a hyphen at the end marks a head of names, not a name. */
const isOwnName = (maker: string, name: string): boolean =>
  !/[/:]|-$/.test(name) && (maker === 'Anthropic' || !name.startsWith('claude')) && !name.includes('.ft-')

function toModel({ maker, name, aliases, prices }: WitnessedModel): CatalogueModel {
  const [today] = prices
  const isChat = today !== undefined && faultsOf('chat', today).length === 0
  return {
    name,
    maker,
    mode: isChat ? 'chat' : 'other',
    ...(aliases.length === 0 ? {} : { aliases: [...aliases] }),
    abilities: [],
    prices: [...prices],
  }
}

type Choice = { readonly price?: CataloguePrice; readonly question?: string }

function choose(model: CatalogueModel, own: CataloguePrice | undefined, other: CataloguePrice | undefined, decision?: Decision): Choice {
  if (decision !== undefined) return decide(own, other, decision)
  if (own === undefined) return {}
  const witness = other?.unit === own.unit ? other : undefined
  const difference = witness === undefined ? undefined : differenceOf(own, witness)
  if (difference !== undefined) return { question: difference }
  if (isFree(own) && (witness === undefined || !isFree(witness)))
    return other === undefined ? {} : { question: 'only one source says that it is free' }
  const fault = faultsOf(model.mode, own)[0]
  if (fault !== undefined) return { question: fault }
  return { price: witness === undefined ? own : agreed(own, witness) }
}

function decide(own: CataloguePrice | undefined, other: CataloguePrice | undefined, { take, reason }: Decision): Choice {
  const price = take === 'litellm' ? own : take === 'genai-prices' ? other : undefined
  return price === undefined ? {} : { price: { ...price, sources: [take, reason] } }
}

/** The details of the first, with lines that only the second states. */
function agreed(own: CataloguePrice, witness: CataloguePrice): CataloguePrice {
  return { ...own, lines: { ...witness.lines, ...own.lines }, sources: ['litellm', 'genai-prices'] }
}

const isFree = ({ unit, lines }: CataloguePrice): boolean =>
  unit === 'token' && lines.input !== undefined && isZero(lines.input) && isZero(lines.output ?? '0')

/** The difference between two sources: input, output, cached tokens, or a band. Classes that one leaves out are not compared. */
function differenceOf(own: CataloguePrice, other: CataloguePrice): string | undefined {
  for (const line of ['input', 'output', 'cache_read', 'audio_in', 'image_in', 'audio_out', 'image_out'] as const) {
    const [left, right] = [own.lines[line], other.lines[line]]
    if (left !== undefined && right !== undefined && !isSame(left, right)) return `${line}: litellm ${left}, genai-prices ${right}`
  }
  const bands = other.bands ?? []
  if (own.bands === undefined || bands.length === 0) return undefined
  for (const band of own.bands) {
    const same = bands.find(({ above }) => above === band.above)
    if (same === undefined) return `a band above ${band.above}: only litellm states it`
    if (!isSame(same.lines.input, band.lines.input) || !isSame(same.lines.output, band.lines.output)) {
      return `above ${band.above}: litellm ${band.lines.input} / ${band.lines.output}, genai-prices ${same.lines.input} / ${same.lines.output}`
    }
  }
  return undefined
}

/** More than twenty times the median input price of the maker's models of the same kind. */
function spreadFaults(models: readonly CatalogueModel[]): OpenQuestion[] {
  const priced = models.flatMap((model) => {
    const input = Number(model.prices[0]?.lines.input ?? 0)
    return input > 0 ? [{ model, input }] : []
  })
  const groups = Map.groupBy(priced, ({ model }) => keyOf(model.maker, model.mode))
  return [...groups.values()].flatMap((group) => {
    const sorted = group.map(({ input }) => input).toSorted((left, right) => left - right)
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0
    return group
      .filter(({ input }) => input > 20 * median)
      .map(({ model, input }) => ({
        maker: model.maker,
        model: model.name,
        question: `input ${input} is more than 20 times the maker's median ${median}`,
      }))
  })
}
