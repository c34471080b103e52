import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startFormatVendor } from '@tollgate/testing/format-vendor'
import type { FormatCall, FormatReply } from '@tollgate/testing/format-scripts/script'
import { aChannel, openTestbed, type Testbed } from '../../../services/relay/test/test-relay.ts'
import { MODELS, type Agent } from './agents.ts'
import { fetchAgent, openSession } from './session.ts'

/** Vendors that refuse what the real ones refuse, and the format in which a converted client reaches the model. */
const VENDORS = [
  { name: 'DeepSeek', type: 43, upstream: 'deepseek-reasoner', format: 'chat' },
  { name: 'Mistral', type: 42, upstream: 'mistral-large-latest', format: 'chat' },
  { name: 'Anthropic', type: 14, upstream: 'claude-sonnet-4-5', format: 'messages' },
  { name: 'Gemini', type: 24, upstream: 'gemini-3-flash-preview', format: 'gemini' },
  { name: 'OpenAI', type: 1, upstream: 'gpt-5.4', format: 'responses' },
] as const
const FIRST = 'Read the file note.txt in this folder and tell me the word in it.'
const SECOND = 'Now write the word into the file copy.txt.'
const THIRD = 'Now say the word once more.'

/** The session under test, from which the vendor builds its answers. */
let current: { readonly agent: Agent; readonly word: string; readonly file: string; readonly copy: string } | undefined

/** Runs three turns of every agent on every vendor; the faults that were found. */
export async function runTurns(agents: readonly Agent[]): Promise<string[]> {
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
        const found = await runSession(agent, { binary, url: relay.url, key: `sk-${(await testbed.anAccount()).key}` })
        const calls = vendor.calls.slice(length)
        const faults = [
          ...(found === undefined ? [] : [found]),
          ...vendor.refusals.slice(refusals).map((words) => `refused: ${words}`),
          // Titles have no tools; chat serves them.
          ...(calls.some(({ tools }) => tools.length > 0) && calls.every((call) => call.format === format || call.tools.length === 0)
            ? []
            : ['called the vendor in another format']),
        ]
        console.log(`${agent.name}, ${name}: ${faults.length === 0 ? 'ok' : faults.join('\n  ')} (${calls.length} calls)`)
        if (faults.length > 0) failures.push(`${agent.name} with ${name}`)
      }
    }
  } finally {
    await testbed.close()
    await vendor.stop()
  }
  return failures
}

/** Answers a turn with a call of the agent's own tool, and the request with its result in words. */
function answer(call: FormatCall): FormatReply {
  if (current === undefined) return { kind: 'text', text: 'ok' }
  const { agent, word, file, copy } = current
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

/** Runs three turns; undefined: all passed. */
async function runSession(agent: Agent, at: Parameters<typeof openSession>[1]): Promise<string | undefined> {
  const session = await openSession(agent, at)
  const word = `plum${randomBytes(4).toString('hex')}`
  const file = join(session.work, 'note.txt')
  const copy = join(session.work, 'copy.txt')
  current = { agent, word, file, copy }
  const take = async (number: number, prompt: string, expected: string) => {
    const { code, stdout, stderr } = await session.turn(number, prompt)
    if (code === 0 && stdout.trim() === expected) return undefined
    return `turn ${number} failed (exit ${code}): ${`${stdout}\n${stderr}`.trim().slice(-1500)}`
  }
  try {
    await writeFile(file, `${word}\n`)
    return (
      (await take(1, FIRST, `The word is ${word}.`)) ??
      (await take(2, SECOND, 'I wrote it.')) ??
      ((await readFile(copy, 'utf8').catch(() => '')).trim() === word ? undefined : 'turn 2 wrote no file') ??
      (await take(3, THIRD, `Once more: ${word}.`))
    )
  } finally {
    current = undefined
    await session.close()
  }
}
