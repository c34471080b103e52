import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2'
import { verify as bcryptVerify } from '@node-rs/bcrypt'

/** OWASP's argon2id minimum with a margin: 19 MiB, 2 passes, 1 lane (the package's defaults, stated so that they cannot drift). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Hash of nobody's password: unknown users cost an attacker the same time as known ones. */
const DECOY = argon2Hash('nobody has this password', COST)

export function hashPassword(password: string): Promise<string> {
  return argon2Hash(password, COST)
}

export type PasswordVerdict = 'right' | 'right-but-old' | 'wrong'

/**
 * Compares with argon2, or with bcrypt for imported users (`right-but-old`: store a new hash). Without a stored hash the answer
 * is `wrong`, after as long a time.
 */
export async function judgePassword(password: string, stored: string | undefined): Promise<PasswordVerdict> {
  if (stored === undefined || stored === '') {
    await argon2Verify(await DECOY, password)
    return 'wrong'
  }
  if (stored.startsWith('$argon2')) return (await argon2Verify(stored, password)) ? 'right' : 'wrong'
  if (/^\$2[abxy]\$/.test(stored)) return (await bcryptVerify(password, stored)) ? 'right-but-old' : 'wrong'
  return 'wrong'
}
