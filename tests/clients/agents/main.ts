// Published coding agents against a real relay, with a scripted vendor of each format: `npm run clients:agents [agent]`. Each agent reads
// a file with its own tool and reports its content, then answers a second turn of the same session.
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startFormatVendor } from '@tollgate/testing/format-vendor'
import type { FormatCall, FormatReply } from '@tollgate/testing/format-scripts/script'
import { aChannel, openTestbed, type Testbed } from '../../../services/relay/test/test-relay.ts'
import { readCommandLine } from '../../support/command-line.ts'
import { ClientError, requireTool, run, runClients } from '../tools.ts'
import { VENDORS } from '../vendors.ts'
import { AGENTS, MODELS, type Agent, type AgentSetup } from './agents.ts'

const TURN_MS = 120_000
const FIRST = 'Read the file note.txt in this folder and tell me the word in it.'
const SECOND = 'Now say the word once more.'

/** The session under test, from which the vendor builds its answers. */
let session: { readonly agent: Agent; readonly word: string; readonly file: string } | undefined

const { positionals: wanted } = readCommandLine({
  command: 'npm run clients:agents --',
  about: `Runs published coding agents against every vendor format: all, or those that are named (${AGENTS.map(({ name }) => name).join(', ')}).`,
  example: `npm run clients:agents -- ${AGENTS[0]?.name}`,
  options: {},
  allowPositionals: true,
})

await runClients(async () => {
  await requireTool('npx', ['--version'], 'clients:agents')
  const agents = AGENTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
  const vendor = await startFormatVendor(answer)
  const testbed = await openTestbed()
  const failures: string[] = []
  try {
    await testbed.publish({ channels: [] })
    const relay = await testbed.startRelay()
    for (const agent of agents) {
      const binary = await fetchAgent(agent)
      for (const { name, type, format } of VENDORS.filter((one) => one.format !== undefined)) {
        const { length } = vendor.calls
        await publish(testbed, vendor.url, type)
        const found = await runSession({ agent, binary, url: relay.url, key: `sk-${(await testbed.anAccount()).key}` })
        const calls = vendor.calls.slice(length)
        const isExpectedFormat = calls.length > 0 && calls.every((call) => call.format === format)
        console.log(
          `${agent.name}, ${name}: ${found ?? (isExpectedFormat ? 'ok' : 'called the vendor in another format')} (${calls.length} calls)`,
        )
        if (found !== undefined || !isExpectedFormat) failures.push(`${agent.name} with ${name}`)
      }
    }
  } finally {
    await testbed.close()
    await vendor.stop()
  }
  console.log(failures.length === 0 ? 'clients:agents passed' : `clients:agents failed: ${failures.join(', ')}`)
  return failures.length === 0
})

/** Answers the first turn with a call of the agent's own tool, and a request with the file's content with the word. */
function answer(call: FormatCall): FormatReply {
  if (session === undefined) return { kind: 'text', text: 'ok' }
  const { agent, word, file } = session
  if (call.text.includes(word)) return { kind: 'text', text: call.text.includes(SECOND) ? `Once more: ${word}.` : `The word is ${word}.` }
  const read = call.text.includes(FIRST) ? agent.readFile(call, file) : undefined
  return read === undefined ? { kind: 'text', text: 'ok' } : { kind: 'calls', calls: [read] }
}

async function publish(testbed: Testbed, url: string, type: number): Promise<void> {
  const prices = MODELS.map((model) => ({ model, ratio: 1, completion_ratio: 4 }))
  await testbed.publish({ channels: [aChannel(url, { type, models: MODELS })], prices })
}

/** The path of the agent's binary in the cache of npx. */
async function fetchAgent({ package: name, binary }: Agent): Promise<string> {
  const found = await run('npx', ['--yes', '--package', name, '-c', `command -v ${binary}`])
  const path = found.stdout.trim().split('\n').at(-1) ?? ''
  if (found.code !== 0 || path === '')
    throw new ClientError(`clients:agents could not fetch ${name}: ${found.stderr.trim().split('\n').at(-1)}`)
  return path
}

type Session = { readonly agent: Agent; readonly binary: string; readonly url: string; readonly key: string }

/** Runs two turns in a fresh home and working folder; undefined: both passed. */
async function runSession({ agent, binary, url, key }: Session): Promise<string | undefined> {
  const dir = await mkdtemp(join(tmpdir(), 'tollgate-agent-'))
  const setup: AgentSetup = { home: join(dir, 'home'), work: join(dir, 'work'), url, key }
  const word = `plum${randomBytes(4).toString('hex')}`
  session = { agent, word, file: join(setup.work, 'note.txt') }
  try {
    await mkdir(setup.home, { recursive: true })
    await mkdir(setup.work, { recursive: true })
    await writeFile(session.file, `${word}\n`)
    for (const [name, text] of Object.entries(agent.files?.(setup) ?? {})) {
      await mkdir(dirname(join(setup.home, name)), { recursive: true })
      await writeFile(join(setup.home, name), text)
    }
    const first = await takeTurn(1, FIRST, `The word is ${word}`)
    return first ?? (await takeTurn(2, SECOND, `Once more: ${word}`))
  } finally {
    session = undefined
    await rm(dir, { recursive: true, force: true, maxRetries: 5 })
  }

  async function takeTurn(turn: 1 | 2, prompt: string, expected: string): Promise<string | undefined> {
    // The agent inherits only PATH.
    const env = { PATH: process.env['PATH'], HOME: setup.home, TERM: 'dumb', CI: '1', NO_COLOR: '1', ...agent.env(setup) }
    const { code, stdout, stderr } = await run(binary, agent.args(prompt, turn, setup), { cwd: setup.work, env, timeoutMs: TURN_MS })
    if (code === 0 && stdout.includes(expected)) return undefined
    return `turn ${turn} failed (exit ${code}): ${`${stdout}\n${stderr}`.trim().slice(-1500)}`
  }
}
