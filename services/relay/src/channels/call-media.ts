import type { MediaSource } from '@tollgate/providers/chat/request'
import { logFieldsOf } from '../request/context.ts'
import type { Identified } from '../request/phases.ts'
import type { RequestMedia } from '../request/request-media.ts'
import type { MediaFetcher } from './media.ts'

/** The media that the prompt of one request names, once an attempt needs it. */
export type CallMedia = {
  fetch(urls: readonly string[]): Promise<ReadonlyMap<string, MediaSource>>
  /** May be called more than once. */
  release(): void
}

export function openCallMedia({ context, caller }: Identified, media: MediaFetcher): CallMedia {
  let begun: RequestMedia | undefined
  return {
    fetch: (urls) => {
      begun ??= media.begin({ log_fields: logFieldsOf(context), owner: { user_id: caller.record.user_id, ip: context.ip } })
      return begun.fetch(urls)
    },
    release: () => begun?.release(),
  }
}
