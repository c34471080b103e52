import { unitAt } from '../text-unit.ts'

type Race<T> = {
  readonly seed: number
  readonly idOf: (candidate: T) => number
  readonly weightOf: (candidate: T, at: number) => number
}

/**
 * Weighted rendezvous hashing (https://en.wikipedia.org/wiki/Rendezvous_hashing#Weighted_rendezvous_hash): equal seeds and candidates
 * give the same choice in every process; adding or removing a candidate moves only its own share. Undefined without candidates.
 */
export function chooseByRendezvous<T>(candidates: readonly T[], { seed, idOf, weightOf }: Race<T>): T | undefined {
  let best: T | undefined
  let least = Number.POSITIVE_INFINITY
  for (const [at, candidate] of candidates.entries()) {
    const chance = (mix(seed ^ mix(idOf(candidate))) + 0.5) / 2 ** 32
    const time = -Math.log(chance) / weightOf(candidate, at)
    if (time < least) {
      least = time
      best = candidate
    }
  }
  return best
}

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193
/** Units that are hashed; with the length they distinguish long texts well enough. */
const HASHED = 512

/** A 32-bit FNV-1a hash of the first 512 UTF-16 units and the length. Not cryptographic. */
export function hashText(text: string, seed: number = FNV_OFFSET): number {
  let hash = seed
  const end = Math.min(text.length, HASHED)
  for (let at = 0; at < end; at += 1) hash = Math.imul(hash ^ unitAt(text, at), FNV_PRIME)
  return mix(hash ^ text.length)
}

/** The finaliser of MurmurHash3. */
function mix(number: number): number {
  let hash = number ^ (number >>> 16)
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
