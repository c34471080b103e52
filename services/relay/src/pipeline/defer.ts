import type { RelayDeps } from '../deps.ts'
import type { Identified } from '../request/phases.ts'
import type { Body } from '../transport/body/collect-body.ts'
import type { RouteSpec } from './route-spec.ts'

/** Answers a body that is to run later; false: it runs now. */
export async function defer(
  { context, caller }: Identified,
  { defer: deferral }: RouteSpec,
  body: Body,
  deps: RelayDeps,
): Promise<boolean> {
  if (deferral === undefined) return false
  let isDeferred = true
  try {
    const deferred = deferral.read(body.bytes)
    isDeferred = deferred !== undefined
    if (deferred !== undefined) await deferral.answer(context, { caller, body: deferred }, deps)
    return isDeferred
  } finally {
    if (isDeferred) body.release()
  }
}
