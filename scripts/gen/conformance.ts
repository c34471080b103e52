import { z } from 'zod'
import { chatCodecs } from '../../libs/providers/src/chat/formats/index.ts'
import { vendorCodecs } from '../../libs/providers/src/vendor-formats/index.ts'
import { code, table } from './markdown.ts'

const Cell = z.object({
  client: z.string(),
  vendor: z.string(),
  case: z.string(),
  golden: z.string(),
  hash: z.string(),
  cannot: z.array(z.object({ warnings: z.string(), why: z.string() })),
})
const Sdk = z.object({ client: z.string(), vendor: z.string(), server: z.string(), case: z.string() })
const Content = z.object({ client: z.string(), vendor: z.string(), content: z.string(), result: z.enum(['carried', 'refused']) })
const Assertion = z.object({
  status: z.string(),
  meta: z
    .object({
      cell: Cell.optional(),
      sdk: Sdk.optional(),
      cut: z.object({ vendor: z.string() }).optional(),
      content: Content.optional(),
    })
    .optional(),
})
const Report = z.object({ testResults: z.array(z.object({ name: z.string(), assertionResults: z.array(Assertion) })) })

/** Each with the file of its test. */
export type Results = readonly (z.infer<typeof Assertion> & { readonly file: string })[]

type Operation = { readonly name: string; readonly client: string; readonly vendors: string; readonly suite: string }

const GOOGLE = '@google/genai'
const OPENAI = 'openai'
/** Operations besides chat in one call, with the official client that the tests of each use. */
export const OPERATIONS: readonly Operation[] = [
  { name: 'batches', client: OPENAI, vendors: 'OpenAI', suite: 'tests/batches.test.ts' },
  { name: 'Message Batches', client: '@anthropic-ai/sdk', vendors: 'OpenAI', suite: 'tests/message-batches.test.ts' },
  { name: 'batches, also of embeddings', client: GOOGLE, vendors: 'OpenAI', suite: 'tests/gemini-batches.test.ts' },
  {
    name: 'interactions',
    client: GOOGLE,
    vendors: 'OpenAI, Chat Completions, Anthropic, Gemini',
    suite: 'services/relay/test/interactions.test.ts',
  },
  { name: 'interactions in the background', client: GOOGLE, vendors: 'OpenAI', suite: 'tests/background-interactions.test.ts' },
  {
    name: 'videos by interactions',
    client: `${GOOGLE}, ${OPENAI}`,
    vendors: 'Gemini, Kling',
    suite: 'tests/google-videos.test.ts',
  },
  { name: 'cached contents', client: GOOGLE, vendors: 'Gemini', suite: 'services/relay/test/cached-contents.test.ts' },
  { name: 'live sessions, short-lived tokens', client: GOOGLE, vendors: 'Gemini', suite: 'services/relay/test/live.test.ts' },
  {
    name: 'pictures and vectors by predict',
    client: GOOGLE,
    vendors: 'Gemini, OpenAI',
    suite: 'services/relay/test/google-predict.test.ts',
  },
  {
    name: 'conversations',
    client: OPENAI,
    vendors: 'OpenAI, Chat Completions, Anthropic, Gemini',
    suite: 'services/relay/test/conversations.test.ts',
  },
  {
    name: 'Responses over a WebSocket',
    client: OPENAI,
    vendors: 'OpenAI, Anthropic, Gemini',
    suite: 'services/relay/test/response-sockets.test.ts',
  },
  { name: 'realtime sessions that reconnect', client: OPENAI, vendors: 'OpenAI', suite: 'services/relay/test/realtime-clients.test.ts' },
  {
    name: 'realtime sessions of agents',
    client: '@openai/agents-realtime',
    vendors: 'OpenAI',
    suite: 'services/relay/test/realtime-agents.test.ts',
  },
  { name: 'sessions that transcribe', client: OPENAI, vendors: 'OpenAI', suite: 'services/relay/test/realtime-transcription.test.ts' },
  { name: 'uploads in parts', client: OPENAI, vendors: 'this gateway', suite: 'tests/uploads.test.ts' },
  {
    name: 'files of prompts',
    client: `${OPENAI}, @anthropic-ai/sdk, ${GOOGLE}`,
    vendors: 'OpenAI, Anthropic, Gemini',
    suite: 'tests/files.test.ts',
  },
  {
    name: 'embeddings, rerank',
    client: 'cohere-ai, @mixedbread/sdk, voyageai',
    vendors: 'OpenAI, Cohere, Jina, Voyage',
    suite: 'services/relay/test/vector-clients.test.ts',
  },
]

/** Parses the output of vitest's JSON reporter. Throws when one of the two suites did not run. */
/** The results of the files whose path contains one of `suites`. */
export function readResults(json: string, suites: readonly string[]): Results {
  const files = Report.parse(JSON.parse(json)).testResults.filter(({ name }) => suites.some((suite) => name.includes(suite)))
  const results = files.flatMap(({ name, assertionResults }) => assertionResults.map((result) => ({ ...result, file: name })))
  if (!results.some(({ meta }) => meta?.cell !== undefined)) throw new Error('the report has no cell of the matrix')
  if (!results.some(({ meta }) => meta?.sdk !== undefined)) throw new Error('the report has no test of an SDK')
  return results
}

/** The matrix of formats and the table of SDKs. */
export function renderConformance(results: Results): string {
  const cells = results.flatMap(({ status, meta }) => (meta?.cell === undefined ? [] : [{ ...meta.cell, isGreen: status === 'passed' }]))
  const sdks = results.flatMap(({ status, meta }) => (meta?.sdk === undefined ? [] : [{ ...meta.sdk, isGreen: status === 'passed' }]))
  const others = results.filter(({ meta }) => meta?.cell === undefined && meta?.sdk === undefined)
  const count = (isGreen: boolean) => cells.filter((cell) => cell.isGreen === isGreen).length
  const red =
    count(false) + [...sdks, ...others.map(({ status }) => ({ isGreen: status === 'passed' }))].filter(({ isGreen }) => !isGreen).length
  const cannot = cells.filter((cell) => cell.isGreen && cell.cannot.length > 0).length
  return [
    '# Conformance',
    'Written by `npm run conformance` from test results alone; do not edit. Every client format against every vendor format: the request ' +
      'sent upstream, the answer and the events that come back, as reviewed in the linked file. The hash is of the fixtures and of that file. ' +
      '**cannot**: the test asserts that exactly this is lost and that the log has a warning for it; the reasons are below the tables. The ' +
      'rest of such a cell is as in a green one.',
    `${count(true) - cannot} green, ${cannot} cannot, ${red} red. Streams cut at every byte: ${results.filter(({ meta }) => meta?.cut !== undefined).length} fixtures.`,
    OWN_FORMATS,
    ...unique(cells.map(({ client }) => client)).flatMap((client) => matrixOf(client, cells)),
    '## Contents besides text',
    'By client format, then by vendor format. **400**: the vendor’s format cannot carry it, so the request goes to another channel, or is ' +
      'refused with the path of the field. –: the client’s format does not have it.',
    contentTable(
      results.flatMap(({ status, meta }) => (meta?.content === undefined ? [] : [{ ...meta.content, isGreen: status === 'passed' }])),
    ),
    '## What cannot be carried over',
    reasons(cells),
    '## Operations besides chat',
    'Each with the official client that its tests run. Green: every test of the file passed.',
    operationTable(results),
    '## Official SDKs',
    'Against a real relay, with two vendors in every format: our scripted one and @copilotkit/aimock.',
    sdkTable(sdks),
  ]
    .join('\n\n')
    .concat('\n')
}

/** Why the formats that no client speaks have no columns. */
const OWN_FORMATS =
  'Not in the tables: ' +
  Object.keys(vendorCodecs)
    .filter((name) => !(name in chatCodecs))
    .map(code)
    .join(', ') +
  '. Only vendors speak them, and most lack what the cases are about (tools, images, reasoning), so nearly every cell would be a refusal. ' +
  '`libs/providers/src/vendor-formats/vendor-codecs.test.ts` tries each with requests of every client format, whole answers, streams cut at every ' +
  'byte, and errors; requests that a format cannot carry go to other channels.'

type CellResult = z.infer<typeof Cell> & { readonly isGreen: boolean }

function matrixOf(client: string, cells: readonly CellResult[]): string[] {
  const own = cells.filter((cell) => cell.client === client)
  const vendors = unique(own.map(({ vendor }) => vendor))
  const rows = unique(own.map((cell) => cell.case)).map((name) => [
    name,
    ...vendors.map((vendor) => cellText(own.find((cell) => cell.case === name && cell.vendor === vendor))),
  ])
  return [`## Clients of ${client}`, table(['Case', ...vendors], rows)]
}

type ContentResult = z.infer<typeof Content> & { readonly isGreen: boolean }

/** One column per vendor format: where each content of a client arrives. */
function contentTable(contents: readonly ContentResult[]): string {
  const vendors = unique(contents.map(({ vendor }) => vendor))
  const rows = unique(contents.map(({ content }) => content)).flatMap((content) =>
    unique(contents.map(({ client }) => client)).map((client) => {
      const own = contents.filter((one) => one.content === content && one.client === client)
      return [content, client, ...vendors.map((vendor) => contentText(own.find((one) => one.vendor === vendor)))]
    }),
  )
  return table(
    ['Content', 'Client', ...vendors],
    rows.filter((row) => row.slice(2).some((text) => text !== '–')),
  )
}

function contentText(found: ContentResult | undefined): string {
  if (found === undefined) return '–'
  if (!found.isGreen) return '**red**'
  return found.result === 'carried' ? 'carried' : '400'
}

function cellText(cell: CellResult | undefined): string {
  if (cell === undefined) return 'red: no test'
  const word = cell.isGreen ? (cell.cannot.length === 0 ? 'green' : 'cannot') : '**red**'
  const warnings = cell.isGreen ? cell.cannot.map((warning) => ` \`${warning.warnings}\``).join(',') : ''
  return `[${word}](../../${cell.golden})${warnings} · ${cell.hash}`
}

function reasons(cells: readonly CellResult[]): string {
  const lines = cells.flatMap(({ cannot }) => cannot.map(({ warnings, why }) => `- \`${warnings}\`: ${why}.`))
  return unique(lines).toSorted().join('\n')
}

type SdkResult = z.infer<typeof Sdk> & { readonly isGreen: boolean }

function sdkTable(sdks: readonly SdkResult[]): string {
  const cases = unique(sdks.map((sdk) => sdk.case))
  const lines = unique(sdks.map(({ client, vendor, server }) => JSON.stringify([client, vendor, server])))
  const rows = lines.map((line) => {
    const [client, vendor, server] = z.tuple([z.string(), z.string(), z.string()]).parse(JSON.parse(line))
    const results = cases.map((name) =>
      sdks.find((sdk) => sdk.case === name && JSON.stringify([sdk.client, sdk.vendor, sdk.server]) === line),
    )
    return [client, vendor, server, ...results.map((sdk) => (sdk?.isGreen === true ? 'green' : '**red**'))]
  })
  return table(['SDK', 'Vendor', 'Server', ...cases], rows)
}

function operationTable(results: Results): string {
  const rows = OPERATIONS.map(({ name, client, vendors, suite }) => {
    const own = results.filter(({ file }) => file.endsWith(suite))
    const isGreen = own.length > 0 && own.every(({ status }) => status === 'passed')
    return [name, client, vendors, `[${isGreen ? 'green' : '**red**'}](../../${suite})`]
  })
  return table(['Operation', 'Client', 'Channels in the tests', 'Tests'], rows)
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)]
