import { AppError } from '@tollgate/contracts/app-error'
import { OutboundError } from '@tollgate/outbound/errors'
import {
  fetchMedia,
  fetchMediaThroughProxy,
  openMedia,
  openMediaThroughProxy,
  type Media,
  type MediaLimits,
} from '@tollgate/outbound/fetch-media'
import type { OpenedStream, StreamLimits } from '@tollgate/outbound/open-stream'
import type { Outbound } from '@tollgate/outbound/outbound'
import type { MediaSource } from '@tollgate/providers/chat/request'
import type { Logger } from '@tollgate/telemetry/logger'

/** Fetches media that requests name by URL, for vendors that cannot fetch it themselves. */
export type MediaFetcher = {
  fetch(request_id: string, urls: readonly string[]): Promise<ReadonlyMap<string, MediaSource>>
  /** One result of a vendor, under the same rules, or with other limits. Throws OutboundError. */
  fetchOne(url: string): Promise<Media>
  /** One result as a stream, whose status and type the caller judges. Throws OutboundError. */
  open(url: string, input: OpenInput): Promise<OpenedStream>
}

type OpenInput = { readonly headers: Readonly<Record<string, string>>; readonly limits: StreamLimits & Pick<MediaLimits, 'maxRedirects'> }

/** The operator's proxy for media URLs (option `WorkerUrl`), which hides the relay's own address from their servers. */
export type MediaProxy = { readonly url: string; readonly key: string; readonly allows_http: boolean }

type Input = {
  /** Cannot reach private addresses. */
  readonly guarded: Pick<Outbound, 'request' | 'dispatch'>
  /** Can reach the operator's proxy. */
  readonly upstream: Pick<Outbound, 'request' | 'dispatch'>
  readonly proxy: () => MediaProxy | undefined
  readonly log: Logger
}

/** The specification's MAX_FILE_DOWNLOAD_MB is 20 MB; the count is Gemini's limit per message. */
const LIMITS: MediaLimits = { maxBytes: 20 * 1024 * 1024, timeoutMs: 20_000, maxRedirects: 3 }
const MAX_COUNT = 16
const MAX_TOTAL = 48 * 1024 * 1024

/** Refuses a request if one of its URLs cannot be fetched, because an answer about a part of the prompt would be charged in full. */
export function createMediaFetcher({ guarded, upstream, proxy, log }: Input): MediaFetcher {
  const get = (url: string): Promise<Media> => {
    const through = proxy()
    if (through === undefined) return fetchMedia(guarded, url, LIMITS)
    return fetchMediaThroughProxy(upstream, { ...through, address: url, limits: LIMITS })
  }
  return {
    fetchOne: get,
    open: async (address, input) => {
      const through = proxy()
      if (through === undefined) return await openMedia(guarded, { address, ...input })
      return await openMediaThroughProxy(upstream, { ...through, address, ...input })
    },
    fetch: async (request_id, urls) => {
      if (urls.length > MAX_COUNT) throw new AppError('media.too-many', { limit: MAX_COUNT })
      let total = 0
      const fetched = urls.map(async (url) => {
        try {
          const { media_type, bytes } = await get(url)
          total += bytes.length
          if (total > MAX_TOTAL) throw new OutboundError('too-large', `media of one request over ${MAX_TOTAL} bytes`)
          return [url, { kind: 'base64', media_type, data: bytes.toString('base64') }] as const
        } catch (cause) {
          if (!(cause instanceof OutboundError)) throw cause
          log.info({ request_id, err: cause }, 'Media URL in a prompt could not be fetched')
          throw new AppError('media.unreachable', {}, { cause })
        }
      })
      return new Map(await Promise.all(fetched))
    },
  }
}
