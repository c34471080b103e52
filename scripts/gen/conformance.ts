import { z } from 'zod'
import { table } from './markdown.ts'

const Cell = z.object({
  client: z.string(),
  vendor: z.string(),
  case: z.string(),
  golden: z.string(),
  hash: z.string(),
  cannot: z.array(z.object({ warnings: z.string(), why: z.string() })),
})
const Sdk = z.object({ client: z.string(), vendor: z.string(), server: z.string(), case: z.string() })
const Assertion = z.object({
  status: z.string(),
  meta: z.object({ cell: Cell.optional(), sdk: Sdk.optional(), cut: z.object({ vendor: z.string() }).optional() }).optional(),
})
const Report = z.object({ testResults: z.array(z.object({ assertionResults: z.array(Assertion) })) })

export type Results = readonly z.infer<typeof Assertion>[]

/** Parses the output of vitest's JSON reporter. Throws when one of the two suites did not run. */
export function readResults(json: string): Results {
  const results = Report.parse(JSON.parse(json)).testResults.flatMap(({ assertionResults }) => assertionResults)
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
    ...unique(cells.map(({ client }) => client)).flatMap((client) => matrixOf(client, cells)),
    '## What cannot be carried over',
    reasons(cells),
    '## Official SDKs',
    'Against a real relay, with two vendors in every format: our scripted one and @copilotkit/aimock.',
    sdkTable(sdks),
  ]
    .join('\n\n')
    .concat('\n')
}

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

const unique = (texts: readonly string[]): string[] => [...new Set(texts)]
