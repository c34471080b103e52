import { Sha256 } from '@aws-crypto/sha256-js'
import { SignatureV4 } from '@smithy/signature-v4'
import { openStream, type OpenedStream, type StreamLimits } from '@tollgate/outbound/open-stream'
import type { Outbound } from '@tollgate/outbound/outbound'

/** The variables of a service that name the store. */
export type MediaStoreEnv = {
  readonly MEDIA_STORE_URL: string
  readonly MEDIA_STORE_BUCKET: string
  readonly MEDIA_STORE_REGION: string
  readonly MEDIA_STORE_KEY_ID: string
  readonly MEDIA_STORE_SECRET: string
}

export type MediaStoreReader = {
  /** One object as a stream, with these headers; no status is an error. Throws OutboundError. */
  open(key: string, headers: Readonly<Record<string, string>>, limits: StreamLimits): Promise<OpenedStream>
}

type Input = { readonly outbound: Pick<Outbound, 'dispatch'>; readonly now: () => number }

/**
 * Reads objects by signed calls: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html (2026-11-24).
 * Undefined: no store is configured. The AWS client is not used here because the relay would load 20 MB of code for one kind of call.
 */
export function createMediaStoreReader(env: MediaStoreEnv, { outbound, now }: Input): MediaStoreReader | undefined {
  if (env.MEDIA_STORE_URL === '') return undefined
  const { origin, host, protocol, pathname } = new URL(env.MEDIA_STORE_URL)
  const signer = new SignatureV4({
    service: 's3',
    region: env.MEDIA_STORE_REGION,
    credentials: { accessKeyId: env.MEDIA_STORE_KEY_ID, secretAccessKey: env.MEDIA_STORE_SECRET },
    sha256: Sha256,
    uriEscapePath: false,
  })
  return {
    open: async (key, headers, limits) => {
      const path = `${pathname.replace(/\/+$/, '')}/${env.MEDIA_STORE_BUCKET}/${key}`
      const signed = await signer.sign(
        { method: 'GET', protocol, hostname: host, path, query: {}, headers: { host, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' } },
        { signingDate: new Date(now()) },
      )
      const { host: _host, ...added } = signed.headers
      return await openStream(outbound, { url: origin + path, headers: { ...headers, ...added }, poolKey: 'media-store' }, limits)
    },
  }
}
