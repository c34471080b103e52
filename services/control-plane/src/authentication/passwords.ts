import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2'
import { verify as bcryptVerify } from '@node-rs/bcrypt'

/** Above OWASP's minimum for argon2id: 19 MiB, 2 passes, parallelism 1 (the package's defaults, set here so that they cannot change). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** A hash that no password matches: unknown users take an attacker the same time as known ones. */
const DECOY = argon2Hash('a password that is never stored', COST)

export function hashPassword(password: string): Promise<string> {
  return argon2Hash(password, COST)
}

export type PasswordResult = 'right' | 'right-but-old' | 'wrong'

/**
 * Compares with argon2, or with bcrypt for imported users (`right-but-old`: store a new hash). Without a stored hash the result is
 * `wrong`, after the same time.
 */
export async function verifyPassword(password: string, stored: string | undefined): Promise<PasswordResult> {
  if (stored === undefined || stored === '') {
    await argon2Verify(await DECOY, password)
    return 'wrong'
  }
  if (stored.startsWith('$argon2')) return (await argon2Verify(stored, password)) ? 'right' : 'wrong'
  if (/^\$2[abxy]\$/.test(stored)) return (await bcryptVerify(password, stored)) ? 'right-but-old' : 'wrong'
  return 'wrong'
}
