import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'

/**
 * Encrypts secrets at rest: AES-256-GCM with a random nonce. The associated data `table|column|id` prevents moving a sealed text to
 * another row. Format: `v1.<key id>.<nonce>.<cipher text and tag>`, base64url.
 */
export type Sealer = {
  seal(text: string, associated: string): string
  /** Throws when the key is unknown, or the text or its associated data differ. */
  unseal(sealed: string, associated: string): string
  /** True if a text is sealed with the first key. */
  isCurrent(sealed: string): boolean
  /** HMAC for finding equal sealed values. */
  fingerprint(text: string): string
  /** The HMACs by all known keys, for values that were stored before a rotation. */
  fingerprints(text: string): string[]
}

/** `keys` is `id:base64url(32 bytes)`, comma separated; the first seals, all unseal. */
export function createSealer(keys: string): Sealer {
  const known = new Map(keys.split(',').map(parseKey))
  const [first] = known
  if (first === undefined) throw new Error('sealing needs at least one key')
  const [firstId, firstKey] = first
  return {
    seal: (text, associated) => {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', firstKey, nonce).setAAD(Buffer.from(associated))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `v1.${firstId}.${nonce.toString('base64url')}.${sealed.toString('base64url')}`
    },
    unseal: (sealed, associated) => {
      const [version, id = '', nonce = '', body = ''] = sealed.split('.')
      const key = known.get(id)
      if (version !== 'v1' || key === undefined) throw new Error('sealed with an unknown key')
      const bytes = Buffer.from(body, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'))
        .setAAD(Buffer.from(associated))
        .setAuthTag(bytes.subarray(-16))
      return decipher.update(bytes.subarray(0, -16), undefined, 'utf8') + decipher.final('utf8')
    },
    isCurrent: (sealed) => sealed.startsWith(`v1.${firstId}.`),
    fingerprint: (text) => hmac(firstKey, text),
    fingerprints: (text) => [...known.values()].map((key) => hmac(key, text)),
  }
}

const hmac = (key: Buffer, text: string): string => createHmac('sha256', key).update(text).digest('hex')

/** Associated data of a sealed column. */
export const sealedBy = {
  channelKey: (channelId: number) => `channels|key|${channelId}`,
  channelSetting: (channelId: number) => `channels|setting|${channelId}`,
  /** The secret of a browser carries its own facts. */
  clientSecret: () => 'client_secrets|value|0',
  /** A short-lived token of Google's Live API carries its own facts. */
  liveToken: () => 'live_tokens|value|0',
  /** The name under which a user resumes a live session. */
  liveHandle: (userId: number) => `live_sessions|handle|${userId}`,
  /** The private key of receipts. */
  receiptKey: (kid: string) => `receipt_keys|key|${kid}`,
  /** The address of the database that an import reads. */
  importSource: (id: string) => `imports|source|${id}`,
  response: (userId: number, name: string) => `responses|${name}|${userId}`,
  /** The secret of a user's time-based codes. */
  totp: (userId: number) => `two_factor|secret|${userId}`,
  option: (key: string) => `options|value|${key}`,
  /** The present secret of an operator's endpoint, and the one before. */
  webhookEndpoint: (id: number) => `webhook_endpoints|secret|${id}`,
  webhookSecret: (userId: number) => `users|webhook_secret|${userId}`,
  /** Keys of tokens and codes are sealed before the row has an id, so their hash identifies the row. */
  redemptionKey: (keyHash: string) => `redemptions|key|${keyHash}`,
  tokenKey: (keyHash: string) => `tokens|key|${keyHash}`,
} as const

/** Opens the stored text of a secret option. */
export const unsealOption =
  (sealer: Sealer) =>
  (sealed: string, key: string): string =>
    sealer.unseal(sealed, sealedBy.option(key))

/** Lookup hash of a user's API key, without the `sk-` prefix. */
export function hashTokenKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** Id of one of a channel's keys for logs and health: a hash, so it does not reveal the key. */
export function keyIdOf(key: string): string {
  return createHash('sha256').update(`channel-key|${key}`).digest('hex').slice(0, 12)
}

function parseKey(text: string): [string, Buffer] {
  const [id = '', encoded = ''] = text.trim().split(':')
  const key = Buffer.from(encoded, 'base64url')
  if (!/^[\w-]+$/.test(id) || key.length !== 32) throw new Error('a sealing key reads id:base64url of 32 bytes')
  return [id, key]
}
