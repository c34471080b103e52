import { FORMAT_USAGE, REASONING_SIGNATURE, type Answered, type ScriptedFormat } from './script.ts'
import { data, fieldAt, listAt, pieces, textsOf } from './reading.ts'

const usageMetadata = {
  promptTokenCount: FORMAT_USAGE.input,
  candidatesTokenCount: FORMAT_USAGE.output,
  totalTokenCount: FORMAT_USAGE.input + FORMAT_USAGE.output,
}
let answers = 0
/** Google's ids of answers are unique. */
const nextHead = () => ({ modelVersion: 'gemini-scripted', responseId: `scripted-${(answers += 1)}` })
type Head = ReturnType<typeof nextHead>
const chunk = (parts: readonly object[], isLast: boolean, head: Head = nextHead()) => ({
  candidates: [{ content: { parts, role: 'model' }, ...(isLast ? { finishReason: 'STOP' } : {}), index: 0 }],
  usageMetadata: isLast ? usageMetadata : { promptTokenCount: FORMAT_USAGE.input, totalTokenCount: FORMAT_USAGE.input },
  ...head,
})

const filtered = () => ({ candidates: [{ finishReason: 'SAFETY', index: 0 }], usageMetadata, ...nextHead() })

/** https://ai.google.dev/api/generate-content */
export const geminiFormat: ScriptedFormat = {
  read: (path, body) => {
    const method = /:(generateContent|streamGenerateContent)(?:\?|$)/.exec(path)?.[1]
    if (method === undefined) return undefined
    const contents = listAt(body, 'contents')
    const lastUser = contents.findLast((content) => content['role'] !== 'model' && textsOf(content['parts']).trim() !== '')
    return {
      is_stream: method === 'streamGenerateContent',
      // Gemini reads the names of fields in both notations; LiteLLM writes them in snake case.
      tools: listAt(body, 'tools').flatMap((tool) =>
        [...listAt(tool, 'functionDeclarations'), ...listAt(tool, 'function_declarations')].map((one) => String(one['name'])),
      ),
      userText: textsOf(lastUser?.['parts']),
      hasToolResult: listAt(contents.at(-1), 'parts').some(
        (part) => (fieldAt(part, 'functionResponse') ?? fieldAt(part, 'function_response')) !== undefined,
      ),
    }
  },
  whole: (reply) => (reply.kind === 'filtered' ? filtered() : chunk(partsOf(reply), true)),
  stream: (reply) => {
    if (reply.kind === 'filtered') return data(filtered())
    // All tool calls are in one chunk.
    if (reply.kind === 'calls') return data(chunk(partsOf(reply), true))
    const { reasoning = '', text: answered } = reply
    const thoughts = pieces(reasoning).map((text) => ({ text, thought: true }))
    const signed = reasoning === '' ? {} : { thoughtSignature: REASONING_SIGNATURE }
    const parts = [...thoughts, ...pieces(answered).map((text, index, all) => ({ text, ...(index === all.length - 1 ? signed : {}) }))]
    const head = nextHead()
    return parts.map((part, index) => data(chunk([part], index === parts.length - 1, head))).join('')
  },
  error: (status, message) => ({ error: { code: status, message, status: status === 429 ? 'RESOURCE_EXHAUSTED' : 'INVALID_ARGUMENT' } }),
}

function partsOf(reply: Exclude<Answered, { kind: 'filtered' }>): object[] {
  if (reply.kind === 'text') {
    const { text, reasoning } = reply
    return reasoning === undefined
      ? [{ text }]
      : [
          { text: reasoning, thought: true },
          { text, thoughtSignature: REASONING_SIGNATURE },
        ]
  }
  // Only the first of several calls is signed.
  return reply.calls.map(({ id, name, input }, at) => ({
    functionCall: { ...(id === '' ? {} : { id }), name, args: input },
    ...(at === 0 ? { thoughtSignature: REASONING_SIGNATURE } : {}),
  }))
}
