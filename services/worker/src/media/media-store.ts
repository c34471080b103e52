import type { Readable } from 'node:stream'
import type { MediaStoreEnv } from '@tollgate/upstream/media-store'

export type MediaStore = {
  /** Stores the stream's bytes under the key, whatever their number; an aborted call leaves nothing. */
  put(key: string, object: { readonly body: Readable; readonly type: string }, signal: AbortSignal): Promise<void>
  /** The bytes of an object; undefined: there is none. */
  get(key: string, signal: AbortSignal): Promise<Readable | undefined>
  remove(keys: readonly string[]): Promise<void>
  close(): void
}

/** Writes to a store with the API of S3. Its client is loaded on first use, because few installations have one. */
export function createMediaStore(env: MediaStoreEnv): MediaStore | undefined {
  if (env.MEDIA_STORE_URL === '') return undefined
  const Bucket = env.MEDIA_STORE_BUCKET
  let opened: ReturnType<typeof open> | undefined
  const connect = () => (opened ??= open(env))
  return {
    put: async (Key, { body, type }, signal) => {
      const { client, Upload } = await connect()
      signal.throwIfAborted()
      const upload = new Upload({ client, params: { Bucket, Key, Body: body, ContentType: type } })
      const abort = (): void => void upload.abort()
      signal.addEventListener('abort', abort, { once: true })
      try {
        await upload.done()
      } finally {
        signal.removeEventListener('abort', abort)
      }
    },
    get: async (Key, abortSignal) => {
      const { client, GetObjectCommand } = await connect()
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }), { abortSignal })
        // In Node the body is a stream of it.
        return Body as Readable | undefined
      } catch (error) {
        if (error instanceof Error && error.name === 'NoSuchKey') return undefined
        throw error
      }
    },
    remove: async (keys) => {
      const { client, DeleteObjectCommand } = await connect()
      for (const Key of keys) await client.send(new DeleteObjectCommand({ Bucket, Key }))
    },
    close: () => void opened?.then(({ client }) => client.destroy()),
  }
}

async function open(env: MediaStoreEnv) {
  const [{ S3Client, DeleteObjectCommand, GetObjectCommand }, { Upload }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/lib-storage'),
  ])
  const client = new S3Client({
    endpoint: env.MEDIA_STORE_URL,
    region: env.MEDIA_STORE_REGION,
    credentials: { accessKeyId: env.MEDIA_STORE_KEY_ID, secretAccessKey: env.MEDIA_STORE_SECRET },
    forcePathStyle: true,
    // Other makers' stores know the checksums of 2020 only.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return { client, DeleteObjectCommand, GetObjectCommand, Upload }
}
