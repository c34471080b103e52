import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Redis } from '@tollgate/redis/connect'
import { sealedBy, type Sealer } from '@tollgate/config/sealing'
import { AppError } from '@tollgate/contracts/app-error'
import { objectAt, parseJsonObject, textAt, type JsonObject } from '@tollgate/providers/json'
import { returnUse, takeUse } from '@tollgate/redis/stores/token-uses'
import { queryOf } from '../transport/query.ts'
import { readCredential, readHeader } from './credentials.ts'

/** Short-lived token with which live sessions may be opened as the token that made it. Times are in Unix milliseconds. */
export type LiveToken = {
  readonly credential: string
  /** Its sessions end then. */
  readonly expires_at: number
  /** New sessions can be opened until then. */
  readonly opens_until: number
  /** Sessions that it opens; 0: any number. */
  readonly uses: number
  /** Set-up of its sessions; empty: the client's own. */
  readonly setup: JsonObject
  /** The fields that the client cannot change, separated by commas; empty: all, if there is a setup. */
  readonly field_mask: string
}

export type OpenedLiveToken = LiveToken & { readonly id: string }

/**
 * Short-lived tokens of browsers for Google's Live API: https://ai.google.dev/gemini-api/docs/ephemeral-tokens. One carries what it
 * stands for, sealed, and ends with its token; only its uses are counted, in Redis.
 */
export type LiveTokens = {
  /** The name of a new token, which is the token. */
  issue(token: LiveToken): string
  /** The token of a request; undefined: it has a key of another kind. Throws for one that is not ours. */
  open(incoming: IncomingMessage): OpenedLiveToken | undefined
  /** Takes one of its uses. Throws if it has none left, or is too old to open a session. */
  take(token: OpenedLiveToken): Promise<void>
  /** Gives a use back whose session was not opened. */
  giveBack(token: OpenedLiveToken): Promise<void>
}

/** Google's own prefix: its SDKs choose address and header by it. */
const PREFIX = 'auth_tokens/'

type Options = { readonly redis: Redis; readonly sealer: Sealer; readonly now: () => number }

export function createLiveTokens({ redis, sealer, now }: Options): LiveTokens {
  return {
    issue: (token) => PREFIX + sealer.seal(JSON.stringify({ ...token, id: randomUUID() }), sealedBy.liveToken()),
    open: (incoming) => {
      const name = nameIn(incoming)
      return name === undefined ? undefined : read(sealer, name)
    },
    take: async (token) => {
      const { id, uses, opens_until, expires_at } = token
      if (Math.min(opens_until, expires_at) <= now()) throw new AppError('token.expired')
      if (uses === 0) return
      const ttl_s = Math.ceil((expires_at - now()) / 1000)
      const isTaken = await takeUse(redis, { id, max: uses, ttl_s }).catch((cause: unknown) => {
        throw new AppError('ledger.cold', {}, { cause })
      })
      if (!isTaken) throw new AppError('token.used')
    },
    giveBack: async ({ id, uses }) => {
      if (uses > 0) await returnUse(redis, id).catch(() => undefined)
    },
  }
}

/** In the query (Node), after `Token` (Python), or where other keys are. */
function nameIn({ headers, url = '' }: IncomingMessage): string | undefined {
  const query = new URLSearchParams(queryOf(url))
  const places = [
    query.get('access_token') ?? '',
    readHeader(headers, 'authorization').replace(/^token +/i, ''),
    readCredential({ headers, url }),
  ]
  return places.find((place) => place.startsWith(PREFIX))
}

function read(sealer: Sealer, name: string): OpenedLiveToken {
  const opened = parseJsonObject(unseal(sealer, name.slice(PREFIX.length)))
  const [credential, id] = [textAt(opened, 'credential'), textAt(opened, 'id')]
  const numbers = ['expires_at', 'opens_until', 'uses'].map((field) => opened?.[field])
  const [expires_at, opens_until, uses] = numbers
  if (credential === undefined || id === undefined) throw new AppError('token.invalid')
  if (typeof expires_at !== 'number' || typeof opens_until !== 'number' || typeof uses !== 'number') throw new AppError('token.invalid')
  return { credential, id, expires_at, opens_until, uses, setup: objectAt(opened, 'setup'), field_mask: textAt(opened, 'field_mask') ?? '' }
}

function unseal(sealer: Sealer, sealed: string): string {
  try {
    return sealer.unseal(sealed, sealedBy.liveToken())
  } catch (cause) {
    throw new AppError('token.invalid', {}, { cause })
  }
}
