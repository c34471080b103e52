import { ALL_CLIENTS } from '@tollgate/domain/clients/all-clients'
import type { Tool } from './tools.ts'

/** True if address, key and model arrived, with a plain model and with one that is hard to write. */
export type SetupResult = { readonly tool: Tool; readonly plain: boolean; readonly hostile: boolean }

/** The table of a whole run. */
export function renderSetups(results: readonly SetupResult[]): string {
  const checked = new Set(results.map(({ tool }) => tool.client))
  const others = ALL_CLIENTS.filter(({ id }) => !checked.has(id)).map(({ name }) => name)
  return [
    '# Set-ups of clients',
    '',
    'Written by `npm run check:setups`; do not edit. The files and commands of the console’s page, read by the clients themselves: a client ' +
      'that runs sends its request to a recording server, the others’ own packages read the files. Address, key and model must arrive ' +
      'unchanged, also a model whose name has quotes, spaces, `$`, backslashes and placeholders.',
    '',
    '| Client | Package | By | Model | Hostile model |',
    '|---|---|---|---|---|',
    ...results.map(
      (result) =>
        `| ${nameOf(result.tool)} | ${packagesOf(result.tool)} | ${BY[result.tool.kind]} | ${sign(result.plain)} | ${sign(result.hostile)} |`,
    ),
    '',
    `Without a package that could read them: ${others.join(', ')}; PowerShell commands.`,
    '',
  ].join('\n')
}

const BY = { runs: 'its request', reads: 'its reader' } as const
const sign = (isOk: boolean): string => (isOk ? 'ok' : '**red**')

function nameOf(tool: Tool): string {
  const name = ALL_CLIENTS.find(({ id }) => id === tool.client)?.name ?? tool.client
  return tool.kind === 'runs' && tool.setup !== undefined ? `${name} (${tool.setup})` : name
}

function packagesOf(tool: Tool): string {
  const packages = [...(tool.npm ?? []), ...(tool.kind === 'runs' ? (tool.pip ?? []) : [])]
  return packages.length === 0 ? '–' : packages.map((name) => `\`${name}\``).join(', ')
}
