import type { IncomingMessage } from 'node:http'
import type { Operation } from '@tollgate/providers/calls/operation'
import type { Heartbeat } from '@tollgate/ledger/client/types'
import type { RuntimeConfig } from '../config/runtime-config.ts'
import type { Accounts } from '../control-plane/accounts.ts'
import { findCaller } from '../identity/caller.ts'
import type { Caller } from '../request/caller.ts'
import { requireFunds } from '../limits/funds.ts'
import type { Identities } from '../identity/identities.ts'
import type { Identified } from '../request/phases.ts'
import type { RequestContext } from '../request/context.ts'

type Deps = {
  readonly identities: Identities
  readonly accounts: Accounts
  readonly heartbeat: Pick<Heartbeat, 'redisNow'>
  readonly config: Pick<RuntimeConfig, 'snapshot' | 'settings' | 'listChannels'>
  readonly now: () => number
}

/** Size up to which Node buffers a whole body before the relay reads it. */
const SMALL_BODY = 64 * 1024

/**
 * Finds the caller before the first byte of the body is read, and before a large body looks whether it has any money. A look-up in Redis
 * or at the control plane waits without a permit.
 */
export function identify(context: RequestContext, { isFree }: Pick<Operation, 'isFree'>, deps: Deps): Identified | Promise<Identified> {
  const finding = findCaller(context, deps)
  const isPaid = isFree !== true && mayBeLarge(context.incoming)
  if (isPaid || finding instanceof Promise) context.permit.release()
  if (isPaid) return withFunds(context, finding, deps)
  return finding instanceof Promise ? finding.then((caller) => ({ context, caller })) : { context, caller: finding }
}

async function withFunds(context: RequestContext, finding: Caller | Promise<Caller>, deps: Deps): Promise<Identified> {
  const caller = await finding
  await requireFunds(context, caller, deps)
  return { context, caller }
}

function mayBeLarge({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? Infinity) > SMALL_BODY
}
