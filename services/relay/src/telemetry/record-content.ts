import type { GenAiMessages } from '@tollgate/providers/chat/gen-ai-messages'
import { interactionAnswers } from '@tollgate/providers/chat/formats/gemini-interactions/decoder'
import type { ContentRecording, RecordedContent } from '../request/content-recording.ts'
import type { Held } from '../request/phases.ts'
import { TASK_OPERATIONS } from '../task-operations.ts'
import { chatCodecOf } from '../usage/prompt-messages.ts'
import { AnswerReader } from './answer-reader.ts'

/** Begins to record prompt and answer of a chat, or the prompt of a task; undefined: the request is neither. */
export function recordContent({ context, request }: Held): ContentRecording | undefined {
  const { name } = request.operation
  if (Object.hasOwn(TASK_OPERATIONS, name)) return new PromptRecording(request)
  const codec = chatCodecOf(name)
  if (codec === undefined) return undefined
  return new ChatRecording({ context, request }, new AnswerReader(name === 'interactions' ? interactionAnswers : codec.vendor))
}

/** The prompt alone: the answer of a task is made after its request. */
class PromptRecording implements ContentRecording {
  readonly #request: Held['request']
  #input: Promise<GenAiMessages | undefined> = Promise.resolve(undefined)

  constructor(request: Held['request']) {
    this.#request = request
  }

  readPrompt(): void {
    this.#input = Promise.resolve(quietly(() => this.#request.content.describe())).catch(() => undefined)
  }

  async end(): Promise<RecordedContent> {
    return { input: await this.#input, output: undefined }
  }
}

class ChatRecording extends PromptRecording {
  readonly #answer: AnswerReader

  constructor({ context, request }: Pick<Held, 'context' | 'request'>, answer: AnswerReader) {
    super(request)
    this.#answer = answer
    context.reply.onBody((piece) => quietly(() => answer.push(piece)))
  }

  override async end(): Promise<RecordedContent> {
    return { ...(await super.end()), output: quietly(() => this.#answer.end()) }
  }
}

/** A trace is less than the request that it describes: what cannot be read is left out of it. */
function quietly<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
