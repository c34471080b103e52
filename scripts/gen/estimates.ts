// Writes how near the gateway's own count of tokens is to the published vocabularies, over the texts of its tests and generated ones.
import cl100k from 'gpt-tokenizer/encoding/cl100k_base'
import o200k from 'gpt-tokenizer/encoding/o200k_base'
import { corpus } from '../../libs/domain/src/pricing/__fixtures__/corpus.ts'
import { GENERATED } from '../../libs/domain/src/pricing/__fixtures__/generated-texts.ts'
import { countText, estimateTokens } from '../../libs/domain/src/pricing/estimate.ts'

const VOCABULARIES = { o200k, cl100k } as const

export function renderEstimates(): string {
  const rows = [...corpus, ...GENERATED].map(({ kind, text, ...known }) => {
    const ratios = (['o200k', 'cl100k', 'claude', 'mistral'] as const).map((family) => {
      const exact = family === 'claude' || family === 'mistral' ? known[family] : VOCABULARIES[family].encode(text).length
      return (estimateTokens(countText(text), family) / exact).toFixed(2)
    })
    return `| ${kind} | ${text.length} | ${o200k.encode(text).length} | ${ratios.join(' | ')} |`
  })
  return [
    '# Estimated token counts',
    '',
    'Written by `npm run gen`; do not edit. What the gateway counts when a vendor reports no usage, divided by the exact count of published vocabularies: o200k and cl100k (gpt-tokenizer), Claude’s (@anthropic-ai/tokenizer 0.0.4) and Mistral’s tekken (mistral-common 1.13.1). The texts are those of the tests, and generated ones.',
    '',
    '| Text | Characters | Tokens (o200k) | Estimate ÷ o200k | Estimate ÷ cl100k | Estimate ÷ Claude | Estimate ÷ Mistral |',
    '|---|---:|---:|---:|---:|---:|---:|',
    ...rows,
    '',
  ].join('\n')
}
