import { errors } from '../errors.ts'
import type { EndedBy } from '../relay/usage-event.ts'

type Texts = Readonly<Record<'zh' | 'en', string>>

/** The log's text for a failed request that left no message. Rows hold the English text. */
export const END_TEXTS: Readonly<Record<EndedBy, Texts>> = {
  complete: { zh: '没有产生费用', en: 'nothing was charged' },
  'client-disconnected': { zh: '客户端在首个字节之前断开', en: 'client closed the connection before the first byte' },
  'upstream-failed': { zh: '上游失败', en: 'upstream failed' },
  'gateway-failed': { zh: '网关失败', en: 'gateway failed' },
  reaper: { zh: '网关进程在首个字节之前结束', en: 'gateway process ended before the first byte' },
}

/** Our own texts of failures, by either language. Texts with a value in them are kept as they were stored. */
const OWN: ReadonlyMap<string, Texts> = new Map(
  [...Object.values(END_TEXTS), ...Object.values(errors)]
    .filter(({ zh, en }) => !`${zh}${en}`.includes('{'))
    .flatMap(({ zh, en }): [string, Texts][] => [
      [zh, { zh, en }],
      [en, { zh, en }],
    ]),
)

/** The stored text of a failed request for a reader: our own in the reader's language, a vendor's as it is. */
export const describeRequestFailure = (stored: string, language: 'zh' | 'en'): string => OWN.get(stored)?.[language] ?? stored
