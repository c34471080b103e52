// Published coding agents against a real relay, with strict scripted vendors: `npm run clients:agents [agent]`. Each agent reads a file with
// its own tool, writes one in a second turn and answers in a third; each turn is a process that resumes the session of the last one.
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startFormatVendor } from '@tollgate/testing/format-vendor'
import type { FormatCall, FormatReply } from '@tollgate/testing/format-scripts/script'
import { aChannel, openTestbed, type Testbed } from '../../../services/relay/test/test-relay.ts'
import { readCommandLine } from '../../support/command-line.ts'
import { ClientError, requireTool, run, runClients } from '../tools.ts'
import { AGENTS, MODELS, type Agent, type AgentSetup } from './agents.ts'

/** Vendors that refuse what the real ones refuse, and the format in which a converted client reaches the model. */
const VENDORS = [
  { name: 'DeepSeek', type: 43, upstream: 'deepseek-reasoner', format: 'chat' },
  { name: 'Mistral', type: 42, upstream: 'mistral-large-latest', format: 'chat' },
  { name: 'Anthropic', type: 14, upstream: 'claude-sonnet-4-5', format: 'messages' },
  { name: 'Gemini', type: 24, upstream: 'gemini-3-flash-preview', format: 'gemini' },
  { name: 'OpenAI', type: 1, upstream: 'gpt-5.4', format: 'responses' },
] as const
const TURN_MS = 120_000
const FIRST = 'Read the file note.txt in this folder and tell me the word in it.'
const SECOND = 'Now write the word into the file copy.txt.'
const THIRD = 'Now say the word once more.'

/** The session under test, from which the vendor builds its answers. */
let session: { readonly agent: Agent; readonly word: string; readonly file: string; readonly copy: string } | undefined

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
  const vendor = await startFormatVendor(answer, { isStrict: true })
  const testbed = await openTestbed()
  const failures: string[] = []
  try {
    await testbed.publish({ channels: [] })
    const relay = await testbed.startRelay()
    for (const agent of agents) {
      const binary = await fetchAgent(agent)
      for (const { name, type, format, upstream } of VENDORS) {
        const { length } = vendor.calls
        const refusals = vendor.refusals.length
        await publish(testbed, vendor.url, { type, upstream })
        const found = await runSession({ agent, binary, url: relay.url, key: `sk-${(await testbed.anAccount()).key}` })
        const calls = vendor.calls.slice(length)
        const faults = [
          ...(found === undefined ? [] : [found]),
          ...vendor.refusals.slice(refusals).map((words) => `refused: ${words}`),
          ...(calls.length > 0 && calls.every((call) => call.format === format) ? [] : ['called the vendor in another format']),
        ]
        console.log(`${agent.name}, ${name}: ${faults.length === 0 ? 'ok' : faults.join('\n  ')} (${calls.length} calls)`)
        if (faults.length > 0) failures.push(`${agent.name} with ${name}`)
      }
    }
  } finally {
    await testbed.close()
    await vendor.stop()
  }
  console.log(failures.length === 0 ? 'clients:agents passed' : `clients:agents failed: ${failures.join(', ')}`)
  return failures.length === 0
})

/** Answers a turn with a call of the agent's own tool, and the request with its result in words. */
function answer(call: FormatCall): FormatReply {
  if (session === undefined) return { kind: 'text', text: 'ok' }
  const { agent, word, file, copy } = session
  if (call.text.includes(THIRD)) return { kind: 'text', text: `Once more: ${word}.` }
  if (call.text.includes(SECOND)) {
    const write = call.hasToolResult ? undefined : agent.writeFile(call, copy, word)
    return write === undefined ? { kind: 'text', text: 'I wrote it.' } : { kind: 'calls', calls: [write] }
  }
  if (call.text.includes(word)) return { kind: 'text', text: `The word is ${word}.` }
  const read = call.text.includes(FIRST) ? agent.readFile(call, file) : undefined
  return read === undefined ? { kind: 'text', text: 'ok' } : { kind: 'calls', calls: [read] }
}

async function publish(
  testbed: Testbed,
  url: string,
  { type, upstream }: { readonly type: number; readonly upstream: string },
): Promise<void> {
  const prices = MODELS.map((model) => ({ model, ratio: 1, completion_ratio: 4 }))
  const model_mapping = Object.fromEntries(MODELS.map((model) => [model, upstream]))
  await testbed.publish({ channels: [aChannel(url, { type, models: MODELS, model_mapping })], prices })
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

/** Runs three turns in a fresh home and working folder; undefined: all passed. */
async function runSession({ agent, binary, url, key }: Session): Promise<string | undefined> {
  const dir = await mkdtemp(join(tmpdir(), 'tollgate-agent-'))
  const setup: AgentSetup = { home: join(dir, 'home'), work: join(dir, 'work'), url, key }
  const word = `plum${randomBytes(4).toString('hex')}`
  session = { agent, word, file: join(setup.work, 'note.txt'), copy: join(setup.work, 'copy.txt') }
  try {
    await mkdir(setup.home, { recursive: true })
    await mkdir(setup.work, { recursive: true })
    await writeFile(session.file, `${word}\n`)
    for (const [name, text] of Object.entries(agent.files?.(setup) ?? {})) {
      await mkdir(dirname(join(setup.home, name)), { recursive: true })
      await writeFile(join(setup.home, name), text)
    }
    return (
      (await takeTurn(1, FIRST, `The word is ${word}.`)) ??
      (await takeTurn(2, SECOND, 'I wrote it.')) ??
      ((await readFile(session.copy, 'utf8').catch(() => '')).trim() === word ? undefined : 'turn 2 wrote no file') ??
      (await takeTurn(3, THIRD, `Once more: ${word}.`))
    )
  } finally {
    session = undefined
    await rm(dir, { recursive: true, force: true, maxRetries: 5 })
  }

  async function takeTurn(turn: number, prompt: string, expected: string): Promise<string | undefined> {
    // The agent inherits only PATH.
    const env = { PATH: process.env['PATH'], HOME: setup.home, TERM: 'dumb', CI: '1', NO_COLOR: '1', ...agent.env(setup) }
    const { code, stdout, stderr } = await run(binary, agent.args(prompt, turn, setup), { cwd: setup.work, env, timeoutMs: TURN_MS })
    if (code === 0 && agent.printed(stdout) === expected) return undefined
    return `turn ${turn} failed (exit ${code}): ${`${stdout}\n${stderr}`.trim().slice(-1500)}`
  }
}
