import type { IncomingMessage } from 'node:http'
import { sealedBy, type Sealer } from '@tollgate/config/sealing'
import { AppError } from '@tollgate/contracts/app-error'
import { parseJsonObject, objectAt, textAt, type JsonObject } from '@tollgate/providers/json'
import { readCredential } from './credentials.ts'

/** Secret with which a browser may open a session with these settings, as the token that made it. */
export type ClientSecret = { readonly credential: string; readonly expires_at: number; readonly session: JsonObject }

/**
 * Short-lived secrets of browsers. One carries what it stands for, sealed, so that no store knows it, and ends with its token.
 * https://developers.openai.com/api/docs/guides/realtime-webrtc
 */
export type ClientSecrets = {
  issue(secret: ClientSecret): string
  /** The secret of a request; undefined: it has a key of another kind. Throws for one that is not ours, or too old. */
  open(incoming: IncomingMessage): ClientSecret | undefined
}

/** In the session of a secret that is only for the chunks of one upload. */
export const UPLOAD = 'tollgate_upload'

/** OpenAI's own prefix: its agents' SDK takes no other key in a browser. */
const PREFIX = 'ek_'

export function createClientSecrets({ sealer, now }: { readonly sealer: Sealer; readonly now: () => number }): ClientSecrets {
  return {
    issue: (secret) => PREFIX + sealer.seal(JSON.stringify(secret), sealedBy.clientSecret()),
    open: (incoming) => {
      const given = readCredential(incoming)
      if (!given.startsWith(PREFIX)) return undefined
      const opened = parseJsonObject(unseal(sealer, given.slice(PREFIX.length)))
      const [credential, expires_at] = [textAt(opened, 'credential'), opened?.['expires_at']]
      if (credential === undefined || typeof expires_at !== 'number') throw new AppError('token.invalid')
      if (expires_at * 1000 <= now()) throw new AppError('token.expired')
      return { credential, expires_at, session: objectAt(opened, 'session') }
    },
  }
}

function unseal(sealer: Sealer, sealed: string): string {
  try {
    return sealer.unseal(sealed, sealedBy.clientSecret())
  } catch (cause) {
    throw new AppError('token.invalid', {}, { cause })
  }
}

/** The head as the client of the token itself would have sent it. */
export function withToken({ headers }: IncomingMessage, { credential }: Pick<ClientSecret, 'credential'>): void {
  const offered = headers['sec-websocket-protocol']?.split(',').map((part) => part.trim())
  const kept = offered?.filter((part) => !part.includes(PREFIX))
  if (kept?.length === 0) delete headers['sec-websocket-protocol']
  else if (kept !== undefined) headers['sec-websocket-protocol'] = kept.join(', ')
  headers.authorization = `Bearer ${credential}`
}
