import type { GenAiMessages } from '@tollgate/providers/chat/gen-ai-messages'
import type { ContentRecording, RecordedContent } from '../request/content-recording.ts'
import type { Held } from '../request/phases.ts'
import { chatCodecOf } from '../usage/prompt-messages.ts'
import { AnswerReader } from './answer-reader.ts'

/** Begins to record prompt and answer of a chat; undefined: the request is none. */
export function recordContent({ context, request }: Held): ContentRecording | undefined {
  const codec = chatCodecOf(request.operation.name)
  return codec === undefined ? undefined : new ChatRecording({ context, request }, new AnswerReader(codec.vendor))
}

class ChatRecording implements ContentRecording {
  readonly #request: Held['request']
  readonly #answer: AnswerReader
  #input: Promise<GenAiMessages | undefined> = Promise.resolve(undefined)

  constructor({ context, request }: Pick<Held, 'context' | 'request'>, answer: AnswerReader) {
    this.#request = request
    this.#answer = answer
    context.reply.onBody((piece) => quietly(() => answer.push(piece)))
  }

  readPrompt(): void {
    this.#input = Promise.resolve(quietly(() => this.#request.content.describe())).catch(() => undefined)
  }

  async end(): Promise<RecordedContent> {
    return { input: await this.#input, output: quietly(() => this.#answer.end()) }
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
