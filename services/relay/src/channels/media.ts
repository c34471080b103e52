import { AppError } from '@tollgate/contracts/app-error'
import { OutboundError } from '@tollgate/outbound/errors'
import {
  fetchMedia,
  fetchMediaThroughProxy,
  openMedia,
  openMediaThroughProxy,
  type Media,
  type MediaCall,
  type MediaLimits,
} from '@tollgate/outbound/fetch-media'
import type { OpenedStream, StreamLimits } from '@tollgate/outbound/open-stream'
import type { Outbound } from '@tollgate/outbound/outbound'
import type { MediaSource } from '@tollgate/providers/chat/request'
import { Budget } from '@tollgate/shares/budget'
import type { LogFields } from '@tollgate/telemetry/fields'
import type { Logger } from '@tollgate/telemetry/logger'
import type { MediaProxy } from '../config/runtime-config.ts'
import type { RequestMedia } from '../request/request-media.ts'
import type { BodyAccount, BodyBudget, BodyOwner } from '../transport/body/body-budget.ts'

/** Fetches media that requests name by URL, for vendors that cannot fetch it themselves. */
export type MediaFetcher = {
  /** The media of one request, whose bytes count in the body budget until `release`. */
  begin(request: MediaRequest): RequestMedia
  /** One result of a vendor as a stream, under the same rules or with other limits; the caller judges status and type. Throws OutboundError. */
  open(url: string, input: OpenInput): Promise<OpenedStream>
}

export type MediaRequest = { readonly log_fields: LogFields; readonly owner: BodyOwner }

type OpenInput = { readonly headers: Readonly<Record<string, string>>; readonly limits: StreamLimits & Pick<MediaLimits, 'maxRedirects'> }

type Input = {
  /** Cannot reach private addresses. */
  readonly guarded: Pick<Outbound, 'request' | 'dispatch'>
  /** Can reach the operator's proxy. */
  readonly upstream: Pick<Outbound, 'request' | 'dispatch'>
  readonly proxy: () => MediaProxy | undefined
  readonly bodies: BodyBudget
  readonly log: Logger
}

/** The specification's MAX_FILE_DOWNLOAD_MB is 20 MB; the count is Gemini's limit per message. */
const LIMITS: MediaLimits = { maxBytes: 20 * 1024 * 1024, timeoutMs: 20_000, maxRedirects: 3 }
const MAX_COUNT = 16
const MAX_TOTAL = 48 * 1024 * 1024
/** Downloads of one process at once. */
const DOWNLOADS = {
  name: 'media_downloads',
  total: 64,
  perUser: 8,
  perAddress: 32,
  queue: { maxWaitMs: LIMITS.timeoutMs, maxWaiting: 2000, maxWaitingPerOwner: 500 },
} as const

type Get = (url: string, call: MediaCall) => Promise<Media>

export function createMediaFetcher({ guarded, upstream, proxy, bodies, log }: Input): MediaFetcher {
  const downloads = new Budget(DOWNLOADS)
  const get: Get = (url, call) => {
    const through = proxy()
    if (through === undefined) return fetchMedia(guarded, url, { limits: LIMITS, ...call })
    return fetchMediaThroughProxy(upstream, { ...through, address: url, limits: LIMITS, call })
  }
  return {
    begin: (request) => new FetchedMedia(request, { get, downloads, account: bodies.open(request.owner), log }),
    open: async (address, input) => {
      const through = proxy()
      if (through === undefined) return await openMedia(guarded, { address, ...input })
      return await openMediaThroughProxy(upstream, { ...through, address, ...input })
    },
  }
}

type Tools = { readonly get: Get; readonly downloads: Budget; readonly account: BodyAccount; readonly log: Logger }

class FetchedMedia implements RequestMedia {
  readonly #request: MediaRequest
  readonly #tools: Tools
  readonly #sources = new Map<string, Promise<MediaSource>>()
  readonly #end = new AbortController()
  #size = 0
  #refusal: AppError | undefined

  constructor(request: MediaRequest, tools: Tools) {
    this.#request = request
    this.#tools = tools
  }

  /** Refuses a request if one of its URLs cannot be fetched, because an answer about a part of the prompt would be charged in full. */
  async fetch(urls: readonly string[]): Promise<ReadonlyMap<string, MediaSource>> {
    if (urls.length > MAX_COUNT) throw new AppError('media.too-many', { limit: MAX_COUNT })
    try {
      return new Map(await Promise.all(urls.map(async (url) => [url, await this.#sourceOf(url)] as const)))
    } catch (cause) {
      this.release()
      if (!(cause instanceof OutboundError)) throw cause
      this.#tools.log.info({ ...this.#request.log_fields, err: cause }, 'Media URL in a prompt could not be fetched')
      throw new AppError('media.unreachable', {}, { cause })
    }
  }

  async fetchOne(url: string): Promise<Media> {
    const { get, downloads } = this.#tools
    const { user_id, ip } = this.#request.owner
    const { signal } = this.#end
    const place = await downloads.take({ user: user_id, address: ip }, { signal })
    if (place === 'aborted') throw new OutboundError('aborted', 'the request is over')
    if (typeof place === 'string') throw new AppError(place === 'share' ? 'request.share' : 'request.busy')
    try {
      return await get(url, { signal, owner: { user: user_id, address: ip }, take: (bytes) => this.#take(bytes) })
    } catch (error) {
      throw this.#refusal ?? error
    } finally {
      place.release()
    }
  }

  release(): void {
    this.#end.abort()
    this.#sources.clear()
    this.#tools.account.close()
  }

  #sourceOf(url: string): Promise<MediaSource> {
    const known = this.#sources.get(url)
    if (known !== undefined) return known
    const fetching = this.fetchOne(url).then(({ media_type, bytes }): MediaSource => ({
      kind: 'base64',
      media_type,
      data: bytes.toString('base64'),
    }))
    this.#sources.set(url, fetching)
    return fetching
  }

  /** Counts a piece in the sum of the request and, as the text it becomes, in the body budget. */
  #take(bytes: number): OutboundError | undefined {
    if (this.#end.signal.aborted) return new OutboundError('aborted', 'the request is over')
    this.#size += bytes
    if (this.#size > MAX_TOTAL) return new OutboundError('too-large', `media of one request over ${MAX_TOTAL} bytes`)
    const covered = this.#tools.account.cover(Math.ceil(this.#size / 3) * 4)
    if (covered === 'covered') return undefined
    this.#refusal = new AppError(covered === 'full' ? 'request.busy' : 'request.share')
    return new OutboundError('too-large', 'the body budget of the relay is used up')
  }
}
