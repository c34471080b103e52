import type { RouteFacts } from '@tollgate/providers/chat/model-request'
import type { Operation } from '@tollgate/providers/calls/operation'
import type { RelayDeps } from '../deps.ts'
import type { Caller } from '../request/caller.ts'
import type { RequestContext } from '../request/context.ts'

/** Facts of a route for the pipeline. */
export type RouteSpec = { readonly operation: Operation; readonly route: RouteFacts; readonly defer?: Deferral }

/** A request that runs later, found without parsing it. */
export type DeferredBody = {
  /** Without the flags; not checked yet. */
  readonly bytes: Buffer
  readonly is_stream: boolean
  /** `store: false`. */
  readonly is_unstored: boolean
  /** Fields that the response repeats, as JSON. */
  readonly facts: string
}

/** Answers some requests before they run. */
export type Deferral = {
  /** The body to run later; undefined: it runs now. */
  read(bytes: Buffer): DeferredBody | undefined
  answer(context: RequestContext, given: { readonly caller: Caller; readonly body: DeferredBody }, deps: RelayDeps): Promise<void>
}
