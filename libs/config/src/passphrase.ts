import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'

/** https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#scrypt */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 } as const
const VERSION = 'p1'

/** Seals a text with a passphrase: AES-256-GCM under a scrypt key. Format: `p1.<salt>.<nonce>.<cipher text and tag>`, base64url. */
export async function sealWithPassphrase(text: string, passphrase: string): Promise<string> {
  const salt = randomBytes(16)
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', await keyOf(passphrase, salt), nonce).setAAD(Buffer.from(VERSION))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return [VERSION, ...[salt, nonce, sealed].map((part) => part.toString('base64url'))].join('.')
}

/** The text; undefined when the passphrase is another one or the text was changed. */
export async function unsealWithPassphrase(sealed: string, passphrase: string): Promise<string | undefined> {
  const [version, salt = '', nonce = '', body = ''] = sealed.split('.')
  const bytes = Buffer.from(body, 'base64url')
  if (version !== VERSION || bytes.length < 16) return undefined
  const key = await keyOf(passphrase, Buffer.from(salt, 'base64url'))
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'))
      .setAAD(Buffer.from(VERSION))
      .setAuthTag(bytes.subarray(-16))
    return decipher.update(bytes.subarray(0, -16), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    // The tag does not match: another passphrase, or a changed file.
    return undefined
  }
}

async function keyOf(passphrase: string, salt: Buffer): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  scrypt(passphrase.normalize('NFKC'), salt, 32, COST, (error, key) => (error === null ? resolve(key) : reject(error)))
  return await promise
}
