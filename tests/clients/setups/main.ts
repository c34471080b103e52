// The set-ups of the console's page against the clients themselves: `npm run check:setups [client…]`. Each client is installed, set up as
// its page says in a fresh home folder, and sends a request to a recording server, or its own package reads the files; address, key and
// model must arrive unchanged, also a model whose name has quotes, spaces, `$` and backslashes. Writes docs/generated/client-setups.md.
import { ALL_CLIENTS } from '@tollgate/domain/clients/all-clients'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readCommandLine } from '../../support/command-line.ts'
import { ClientError, requireTool, runClients } from '../tools.ts'
import { installTool } from './packages.ts'
import { startRecorder, type Recorder } from './recorder.ts'
import { renderSetups, type SetupResult } from './render.ts'
import { TOOLS, type Tool } from './tools.ts'
import { trySetup } from './try-setup.ts'

const TARGET = join(import.meta.dirname, '../../../docs/generated/client-setups.md')
const KEY = `sk-${'a1B2c3D4'.repeat(6)}`
const MODELS = { plain: 'team-model', hostile: String.raw`team/it's "$HOME" \n {env:HOME} ${'$'}{{ secrets.X }}` } as const

const { positionals: wanted } = readCommandLine({
  command: 'npm run check:setups --',
  about: `Checks the set-ups of the console against the clients: all, or those that are named (${[...new Set(TOOLS.map(({ client }) => client))].join(', ')}).`,
  example: 'npm run check:setups -- codex',
  options: {},
  allowPositionals: true,
})

await runClients(async () => {
  for (const tool of ['npm', 'python3', 'curl']) await requireTool(tool, ['--version'], 'check:setups')
  const unknown = wanted.find((name) => !TOOLS.some(({ client }) => client === name))
  if (unknown !== undefined) throw new ClientError(`check:setups does not know ${unknown}`)
  const recorder = await startRecorder()
  const results: SetupResult[] = []
  for (const tool of TOOLS) if (wanted.length === 0 || wanted.includes(tool.client)) results.push(await checkTool(tool, recorder))
  await recorder.stop()
  if (wanted.length === 0) await writeFile(TARGET, renderSetups(results))
  const failed = results.filter(({ plain, hostile }) => !plain || !hostile).map(({ tool }) => tool.client)
  console.log(failed.length === 0 ? '\ncheck:setups passed' : `\ncheck:setups failed: ${failed.join(', ')}`)
  return failed.length === 0
})

async function checkTool(tool: Tool, recorder: Recorder): Promise<SetupResult> {
  const dir = await installTool(tool)
  const isOk = async (kind: keyof typeof MODELS): Promise<boolean> => {
    const values = { address: recorder.url, key: KEY, model: modelOf(kind, tool) }
    const outcome = await trySetup({ tool, dir, values, recorder })
    console.log(`${outcome.isOk ? 'ok ' : 'RED'} ${tool.client} ${kind}${outcome.isOk ? '' : `: ${outcome.seen}`}`)
    return outcome.isOk
  }
  return { tool, plain: await isOk('plain'), hostile: await isOk('hostile') }
}

/** Gemini's model is in the path, where a URL has no backslash. */
function modelOf(kind: keyof typeof MODELS, { client }: Tool): string {
  const isInPath = ALL_CLIENTS.find(({ id }) => id === client)?.format === 'gemini'
  return isInPath ? MODELS[kind].replaceAll('\\', '') : MODELS[kind]
}
