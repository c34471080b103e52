import type { CatalogueModel } from '../../libs/contracts/src/models/model-catalogue.ts'
import type { Decision, OpenQuestion } from '../../libs/domain/src/model-catalogue/merge.ts'
import { table } from '../gen/markdown.ts'

/** The page of what the sources disagree on, and of what a person decided. */
export function renderQuestions(
  day: string,
  models: readonly CatalogueModel[],
  questions: readonly OpenQuestion[],
  decisions: readonly Decision[],
): string {
  const makers = [...new Set(models.map(({ maker }) => maker))]
  const countOf = (maker: string, sources: number) =>
    models.filter(({ maker: own, prices }) => own === maker && prices[0]?.sources.length === sources && !isDecided(prices[0].sources))
      .length
  const isDecided = (sources: readonly string[]) => sources.some((source) => !['litellm', 'genai-prices'].includes(source))
  const rows = makers.map((maker) => {
    const own = models.filter((model) => model.maker === maker)
    const decided = own.filter(({ prices }) => prices[0] !== undefined && isDecided(prices[0].sources)).length
    const without = own.filter(({ prices }) => prices.length === 0).length
    return [maker, String(own.length), String(countOf(maker, 2)), String(countOf(maker, 1)), String(decided), String(without)]
  })
  return [
    '# Prices of the catalogue that a person looks at',
    '',
    `Written by \`npm run catalogue\` on ${day} from litellm and genai-prices.`,
    '',
    table(['maker', 'models', 'both sources agree', 'one source', 'decided', 'no price'], rows),
    '',
    '## Open questions',
    '',
    questions.length === 0
      ? 'None.'
      : table(
          ['maker', 'model', 'question'],
          questions.map(({ maker, model, question }) => [maker, model, question]),
        ),
    '',
    '## Decisions',
    '',
    table(
      ['model', 'taken from', 'reason'],
      decisions.map(({ model, take, reason }) => [model, take, reason]),
    ),
    '',
  ].join('\n')
}
