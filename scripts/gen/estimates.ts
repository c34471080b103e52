// Writes how near the gateway's own count of tokens is to the published vocabularies, over the texts of its tests and generated ones.
import { createHash } from 'node:crypto'
import cl100k from 'gpt-tokenizer/encoding/cl100k_base'
import o200k from 'gpt-tokenizer/encoding/o200k_base'
import { corpus } from '../../libs/domain/src/pricing/__fixtures__/corpus.ts'
import { countText, estimateTokens } from '../../libs/domain/src/pricing/estimate.ts'

/** Bytes that look random and are the same in every run. */
const bytesOf = (seed: string, length: number): Buffer =>
  Buffer.concat(Array.from({ length: Math.ceil(length / 32) }, (_, at) => createHash('sha256').update(`${seed} ${at}`).digest())).subarray(
    0,
    length,
  )

const lines = (count: number, line: (at: number) => string): string => Array.from({ length: count }, (_, at) => line(at)).join('\n')
const hex = (at: number): string => bytesOf(String(at), 16).toString('hex')
const uuid = (at: number): string => hex(at).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

const GENERATED = [
  { kind: 'base64', text: bytesOf('base64', 15_000).toString('base64') },
  { kind: 'hexadecimal', text: bytesOf('hex', 10_000).toString('hex') },
  {
    kind: 'JSON of UUIDs and floats',
    text: JSON.stringify(Array.from({ length: 300 }, (_, at) => ({ id: uuid(at), value: bytesOf(`v${at}`, 4).readUInt32BE() / 2 ** 32 }))),
  },
  {
    kind: 'log lines',
    text: lines(
      300,
      (at) =>
        `2026-11-${String((at % 28) + 1).padStart(2, '0')}T10:${String(at % 60).padStart(2, '0')}:07.${at}Z INFO [worker-${at % 8}] request ${hex(at).slice(0, 12)} took ${at * 7} ms, status 200`,
    ),
  },
  {
    kind: 'tool schemas as compact JSON',
    text: JSON.stringify(
      Array.from({ length: 40 }, (_, at) => ({
        type: 'function',
        function: {
          name: `read_file_${at}`,
          description: 'Reads a file of the workspace and returns its text with line numbers.',
          parameters: {
            type: 'object',
            properties: { path: { type: 'string', description: 'Path below the workspace' }, limit: { type: 'integer', minimum: 1 } },
            required: ['path'],
          },
        },
      })),
    ),
  },
]

const VOCABULARIES = { o200k, cl100k } as const

export function renderEstimates(): string {
  const rows = [...corpus, ...GENERATED].map(({ kind, text }) => {
    const ratios = (['o200k', 'cl100k'] as const).map((family) => {
      const exact = VOCABULARIES[family].encode(text).length
      return (estimateTokens(countText(text), family) / exact).toFixed(2)
    })
    return `| ${kind} | ${text.length} | ${o200k.encode(text).length} | ${ratios.join(' | ')} |`
  })
  return [
    '# Estimated token counts',
    '',
    'Written by `npm run gen`; do not edit. What the gateway counts when a vendor reports no usage, divided by the exact count of two published vocabularies (gpt-tokenizer). The texts are those of the tests, and generated ones.',
    '',
    '| Text | Characters | Tokens (o200k) | Estimate ÷ o200k | Estimate ÷ cl100k |',
    '|---|---:|---:|---:|---:|',
    ...rows,
    '',
  ].join('\n')
}
