import { createHash } from 'node:crypto'
import { serverOfKey, type LedgerServers } from '@tollgate/redis/ledger-servers'
import { argsOf, isUnknownScript, sendScript } from '@tollgate/redis/scripts/script-call'
import { buildScript, type LimitScriptName } from '../scripts/scripts.ts'

type Script = { readonly text: string; readonly sha: string }

const known = new Map<LimitScriptName, Script>()

function scriptOf(name: LimitScriptName): Script {
  const found = known.get(name)
  if (found !== undefined) return found
  const text = buildScript(name)
  const made = { text, sha: createHash('sha1').update(text).digest('hex') }
  known.set(name, made)
  return made
}

/** Calls a script of limits. These are outside the fence: a Redis that does not know one gets its text with EVAL. */
export async function callLimitScript(
  servers: LedgerServers,
  name: LimitScriptName,
  keyNames: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown[]> {
  const { text, sha } = scriptOf(name)
  const redis = serverOfKey(servers, keyNames[0] ?? '')
  const reply = await sendScript(redis, sha, argsOf(keyNames), argsOf(args)).catch((cause: unknown) => {
    if (isUnknownScript(cause)) return redis.eval(text, keyNames.length, ...keyNames, ...args)
    throw cause
  })
  if (!Array.isArray(reply)) throw new Error(`a limit script answered ${typeof reply}`)
  return reply
}
