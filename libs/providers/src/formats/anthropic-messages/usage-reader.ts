import type { CountInto } from '@tollgate/contracts/text-counts'
import type { UsageReaderInput } from '../../chat/codec.ts'
import { MarkerUsageReader, type Verdict } from '../../chat/marker-usage-reader.ts'
import type { AnswerStream } from '../../chat/stream.ts'
import { LargeEvent } from './large-event.ts'
import { MessageStreamFacts } from './stream-facts.ts'

/**
 * Watches a Messages stream on its way from upstream to a client of the same format. Bytes pass as they are, pings included,
 * except: `message_stop`, which waits for the settlement, and an error object, which is kept for the caller to render.
 */
export function createUsageReader(input: UsageReaderInput): AnswerStream {
  return new UsageReader(input.count)
}

const STOP_EVENT = Buffer.from('event: message_stop\ndata: {"type":"message_stop"}\n\n')
const VERDICTS = { content: 'pass', unreadable: 'pass', failed: 'hide', stop: 'done' } as const

class UsageReader extends MarkerUsageReader {
  readonly facts: MessageStreamFacts

  constructor(count: CountInto) {
    super(STOP_EVENT)
    this.facts = new MessageStreamFacts(count)
  }

  /** Upstream has told its usage in `message_delta` already: nothing is missing but the end. */
  closing(): Buffer {
    return this.marker
  }

  protected judge(data: string): Verdict {
    return VERDICTS[this.facts.read(data)]
  }

  protected openLarge(head: Buffer): LargeEvent {
    return new LargeEvent(head, this.facts)
  }
}
