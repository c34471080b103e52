import type { Media } from '@tollgate/outbound/fetch-media'
import type { MediaSource } from '@tollgate/providers/chat/request'

/** The media of one request. */
export type RequestMedia = {
  /** Fetches each address once, however many channels the request is tried on. */
  fetch(urls: readonly string[]): Promise<ReadonlyMap<string, MediaSource>>
  /** One result of a vendor. Throws OutboundError, or an AppError of the body budget. */
  fetchOne(url: string): Promise<Media>
  /** Ends what is still fetched and frees the rest. May be called more than once. */
  release(): void
}
