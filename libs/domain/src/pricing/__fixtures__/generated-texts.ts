import { createHash } from 'node:crypto'

/** Bytes that look random and are the same in every run. */
const bytesOf = (seed: string, length: number): Buffer =>
  Buffer.concat(Array.from({ length: Math.ceil(length / 32) }, (_, at) => createHash('sha256').update(`${seed} ${at}`).digest())).subarray(
    0,
    length,
  )

const lines = (count: number, line: (at: number) => string): string => Array.from({ length: count }, (_, at) => line(at)).join('\n')
const hex = (at: number): string => bytesOf(String(at), 16).toString('hex')
const uuid = (at: number): string => hex(at).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** Texts with the tokens that two vocabularies without a package here make of them: @anthropic-ai/tokenizer 0.0.4, mistral-common 1.13.1 (tekken 240911). */
export const GENERATED = [
  { kind: 'base64', claude: 14113, mistral: 15227, text: bytesOf('base64', 15_000).toString('base64') },
  { kind: 'hexadecimal', claude: 11674, mistral: 17836, text: bytesOf('hex', 10_000).toString('hex') },
  {
    kind: 'JSON of UUIDs and floats', claude: 11652, mistral: 17100,
    text: JSON.stringify(Array.from({ length: 300 }, (_, at) => ({ id: uuid(at), value: bytesOf(`v${at}`, 4).readUInt32BE() / 2 ** 32 }))),
  },
  {
    kind: 'log lines', claude: 11101, mistral: 16614,
    text: lines(
      300,
      (at) =>
        `2026-11-${String((at % 28) + 1).padStart(2, '0')}T10:${String(at % 60).padStart(2, '0')}:07.${at}Z INFO [worker-${at % 8}] request ${hex(at).slice(0, 12)} took ${at * 7} ms, status 200`,
    ),
  },
  {
    kind: 'tool schemas as compact JSON', claude: 2802, mistral: 2911,
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
