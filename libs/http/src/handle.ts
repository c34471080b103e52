import type { Access, BodyOf, Endpoint, ParamsOf, QueryOf, ResultOf } from '@tollgate/contracts/endpoint'
import type { Context } from 'hono'
import type { Actor } from './actor.ts'
import type { ResultWithMessage } from './envelope.ts'
import type { Language } from './language.ts'

/** Facts of a call for its handler, besides the parsed request. */
export type CallContext = {
  readonly c: Context
  readonly language: Language
  readonly ip: string
  readonly request_id: string
  /** Header for calls to other services; undefined when nothing is traced. */
  readonly traceparent: string | undefined
}

export type ActorOf<A extends Access> = A extends 'public' ? undefined : A extends 'optional' ? Actor | undefined : Actor

/** One validated, admitted call. */
export type Call<E extends Endpoint> = CallContext & {
  readonly params: ParamsOf<E>
  readonly query: QueryOf<E>
  readonly body: BodyOf<E>
  readonly actor: ActorOf<E['access']>
}

/** The data of the envelope (or the whole answer), the same with a message (`withMessage`), or a ready response (redirects). */
export type Result<E extends Endpoint> =
  | ResultOf<E>
  | ResultWithMessage<ResultOf<E>>
  | Response
  | (undefined extends ResultOf<E> ? void : never)

export type Binding = {
  readonly endpoint: Endpoint
  readonly run: (call: Call<Endpoint>) => Promise<unknown>
}

/** Binds one endpoint of the table to its use case. `bindAll` does access, validation, envelope and errors. */
export function handle<E extends Endpoint>(endpoint: E, run: (call: Call<E>) => Promise<Result<E>> | Result<E>): Binding {
  return {
    endpoint,
    // bindAll parses params, query and body with this endpoint's schemas and checks its access, so the shapes are right.
    run: async (call) => await run(call as unknown as Call<E>),
  }
}
