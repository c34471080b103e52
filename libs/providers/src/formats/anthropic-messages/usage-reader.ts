import type { CountInto } from '@tollgate/contracts/character-counts'
import type { UsageReaderInput } from '../../chat/codec.ts'
import { MarkerUsageReader, type EventAction } from '../../chat/marker-usage-reader.ts'
import type { AnswerStream } from '../../chat/stream.ts'
import { LargeEvent } from './large-event.ts'
import { MessageStreamFacts } from './stream-facts.ts'

/**
 * Reads a Messages stream on its way to a client of the same format. Bytes pass unchanged, pings included, except `message_stop`, which
 * is sent after settlement, and an error object, which the caller renders.
 */
export function createUsageReader(input: UsageReaderInput): AnswerStream {
  return new UsageReader(input.count)
}

const STOP_EVENT = Buffer.from('event: message_stop\ndata: {"type":"message_stop"}\n\n')
const ACTIONS = { content: 'pass', unreadable: 'pass', failed: 'hide', stop: 'done' } as const

class UsageReader extends MarkerUsageReader {
  readonly facts: MessageStreamFacts

  constructor(count: CountInto) {
    super(STOP_EVENT)
    this.facts = new MessageStreamFacts(count)
  }

  /** Upstream reported its usage in `message_delta`, so only the end marker is missing. */
  closing(): Buffer {
    return this.marker
  }

  protected readEvent(data: string): EventAction {
    return ACTIONS[this.facts.read(data)]
  }

  protected createLargeEventReader(head: Buffer): LargeEvent {
    return new LargeEvent(head, this.facts)
  }
}
