import { LLMock, type ChatCompletionRequest } from '@copilotkit/aimock'

/** Tokens per second of the answer: slow enough to be seen streaming. */
const PACE = { ttft: 150, tps: 40 }

/** A local server that speaks OpenAI's chat format and answers every prompt, streamed or not, with usage. The answer is always the same text. */
export async function startModelServer(port: number): Promise<{ url: string; stop(): Promise<void> }> {
  const server = new LLMock({ host: '127.0.0.1', port, journalMaxEntries: 100 })
  server.addFixture({ match: { endpoint: 'chat' }, response: answerTo, chunkSize: 6, streamingProfile: PACE })
  const url = await server.start()
  return { url, stop: () => server.stop() }
}

function answerTo(request: ChatCompletionRequest): {
  content: string
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number }
} {
  const prompt = lastUserText(request)
  const content =
    `Hello from the local model server behind Tollgate. You asked ${request.model}: “${prompt.slice(0, 200)}”. ` +
    'This answer was streamed through the gateway, metered and charged; the usage log of the console explains what it cost and why.'
  const promptTokens = roughTokens(request.messages.map(({ content: text }) => (typeof text === 'string' ? text : '')).join('\n')) + 4
  const completionTokens = roughTokens(content)
  return {
    content,
    usage: { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens: promptTokens + completionTokens },
  }
}

function lastUserText({ messages }: ChatCompletionRequest): string {
  const last = messages.findLast(({ role }) => role === 'user')?.content
  if (typeof last === 'string') return last
  // Agents put reminders of their own before what was typed.
  return (last ?? []).findLast(({ text }) => text !== undefined)?.text ?? ''
}

/** Approximate characters per token of English text. */
function roughTokens(text: string): number {
  return Math.max(1, Math.ceil(text.length / 4))
}
