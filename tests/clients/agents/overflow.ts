import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startFormatVendor } from '@tollgate/testing/format-vendor'
import type { FormatCall, FormatReply } from '@tollgate/testing/format-scripts/script'
import { aChannel, openTestbed } from '../../../services/relay/test/test-relay.ts'
import { MODELS, type Agent } from './agents.ts'
import { fetchAgent, openSession } from './session.ts'

const FIRST = 'Read the file note.txt in this folder.'
/** Claude Code 2.1.332 may keep the last exchange word for word, so the one with the bulk must not be the last. */
const BETWEEN = 'Say the word PING.'
const LAST = 'Say the word PONG.'
/** In the answer of the first turn; a conversation that still has it is too long. Agents attach files again after they shortened one. */
const BULK = 'BULKOFTHECONVERSATION'

/** Each vendor's error for a prompt that its model cannot take. */
const VENDORS = [
  {
    name: 'OpenAI, chat',
    type: 43,
    upstream: 'deepseek-chat',
    body: {
      error: {
        message: "This model's maximum context length is 131072 tokens. However, you requested 140000 tokens.",
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      },
    },
  },
  {
    name: 'OpenAI, Responses',
    type: 1,
    upstream: 'gpt-5.4',
    body: {
      error: {
        message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
        type: 'invalid_request_error',
        param: 'input',
        code: 'context_length_exceeded',
      },
    },
  },
  {
    name: 'Anthropic',
    type: 14,
    upstream: 'claude-sonnet-4-5',
    body: { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' } },
  },
  {
    name: 'Gemini',
    type: 24,
    upstream: 'gemini-2.5-flash',
    body: {
      error: {
        code: 400,
        message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
        status: 'INVALID_ARGUMENT',
      },
    },
  },
] as const

/** Those that shorten a conversation and go on: in the same turn, or in the next one; Gemini CLI never does after an error. */
const GOES_ON: Readonly<Record<string, 'same turn' | 'next turn' | 'never'>> = {
  'claude-code': 'same turn',
  codex: 'next turn',
  'gemini-cli': 'never',
  opencode: 'same turn',
}

/** Lets a conversation outgrow the model, and looks whether the agent goes on; those that did not. */
export async function runOverflow(agents: readonly Agent[]): Promise<string[]> {
  let current: { readonly agent: Agent; readonly file: string; readonly body: object } | undefined
  let isTooLong = false
  const answer = (call: FormatCall): FormatReply => {
    if (current === undefined || call.tools.length === 0) return { kind: 'text', text: 'A short note was read.' }
    const isSummary = /create a detailed summary|CONTEXT CHECKPOINT COMPACTION/.test(call.userText)
    if (isSummary) return { kind: 'text', text: 'Summary: a short note was read.' }
    if (isTooLong && call.text.includes(BULK)) return { kind: 'error', status: 400, message: 'too long', body: current.body }
    if (!isTooLong && call.userText.includes(BETWEEN)) return { kind: 'text', text: 'PING' }
    if (call.hasToolResult && !isTooLong) return { kind: 'text', text: `I read it. ${BULK}` }
    const read = isTooLong ? undefined : current.agent.readFile(call, current.file)
    return read === undefined ? { kind: 'text', text: 'PONG' } : { kind: 'calls', calls: [read] }
  }
  const vendor = await startFormatVendor(answer)
  const testbed = await openTestbed()
  const failures: string[] = []
  try {
    await testbed.publish({ channels: [] })
    const relay = await testbed.startRelay()
    for (const agent of agents.filter(({ name }) => name in GOES_ON)) {
      const binary = await fetchAgent(agent)
      for (const { name, type, upstream, body } of VENDORS) {
        const model_mapping = Object.fromEntries(MODELS.map((model) => [model, upstream]))
        const prices = MODELS.map((model) => ({ model, ratio: 1, completion_ratio: 4 }))
        await testbed.publish({ channels: [aChannel(vendor.url, { type, models: MODELS, model_mapping })], prices })
        const session = await openSession(agent, { binary, url: relay.url, key: `sk-${(await testbed.anAccount()).key}` })
        const file = join(session.work, 'note.txt')
        await writeFile(file, 'A short note.\n')
        current = { agent, file, body }
        isTooLong = false
        const first = await session.turn(1, FIRST)
        await session.turn(2, BETWEEN, 60_000)
        isTooLong = true
        const { length } = vendor.calls
        const third = await session.turn(3, LAST, 60_000)
        const fourth = GOES_ON[agent.name] === 'next turn' ? await session.turn(4, LAST, 60_000) : third
        await session.close()
        const wentOn = /PONG/.test(fourth.stdout)
        const words = /PONG/.test(third.stdout) ? '' : `${third.stderr}\n${third.stdout}`.trim().replace(/\s+/g, ' ').slice(-200)
        const isExpected = first.stdout.includes('I read it.') && wentOn === (GOES_ON[agent.name] !== 'never')
        console.log(
          `${agent.name}, ${name}: ${isExpected ? 'ok' : 'UNEXPECTED'}; ${wentOn ? 'went on' : 'ended'}, ${vendor.calls.length - length} calls ${words}`,
        )
        if (!isExpected) failures.push(`overflow of ${name} with ${agent.name}`)
      }
    }
  } finally {
    await testbed.close()
    await vendor.stop()
  }
  return failures
}
