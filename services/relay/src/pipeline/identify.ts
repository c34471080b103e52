import { findCaller, type Caller } from '../identity/caller.ts'
import type { Identities } from '../identity/identities.ts'
import type { RequestContext } from '../request/context.ts'
import { releasePermit } from '../request/permit.ts'

type Deps = { readonly identities: Identities; readonly now: () => number }

/** Finds the caller before the first byte of the body is read. A look-up in Redis or at the control plane waits without a permit. */
export function identify(context: RequestContext, deps: Deps): Caller | Promise<Caller> {
  const caller = findCaller(context, deps)
  if (caller instanceof Promise) releasePermit(context)
  return caller
}
