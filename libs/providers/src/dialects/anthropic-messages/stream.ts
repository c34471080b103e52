import type { CountInto } from '@tollgate/contracts/text-counts'
import type { TapInput } from '../../conversation/dialect.ts'
import { MarkerTap, type Verdict } from '../../conversation/marker-tap.ts'
import type { AnswerStream } from '../../conversation/stream.ts'
import { LargeEvent } from './large-event.ts'
import { MessageStreamFacts } from './stream-facts.ts'

/**
 * Watches a Messages stream on its way from upstream to a client of the same format. Bytes pass as they are, pings included,
 * except: `message_stop`, which waits for the settlement, and an error object, which is kept for the caller to render.
 */
export function createTap(input: TapInput): AnswerStream {
  return new Tap(input.count)
}

const STOP_EVENT = Buffer.from('event: message_stop\ndata: {"type":"message_stop"}\n\n')
const VERDICTS = { content: 'pass', unreadable: 'pass', failed: 'hide', stop: 'done' } as const

class Tap extends MarkerTap {
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
