import type { z } from 'zod'
import type { Right } from './rights.ts'

/**
 * Who may call. `optional`: a session is used when present and never required. `session`: a session cookie without the user id header
 * (browser navigation). `key`: an API key of a user.
 */
export type Access = 'public' | 'optional' | 'session' | 'user' | 'admin' | 'root' | 'key'
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * One call of the control plane. `data` is the schema of the envelope's `data`; a call whose answer is not `{success, message, data}`
 * declares the whole body as `answer`. Paths use `{name}` for parameters and are served with and without a trailing slash.
 */
export type Endpoint<
  Params extends z.ZodType | undefined = z.ZodType | undefined,
  Query extends z.ZodType | undefined = z.ZodType | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  Data extends z.ZodType | undefined = z.ZodType | undefined,
  Answer extends z.ZodType | undefined = z.ZodType | undefined,
  By extends Access = Access,
> = {
  readonly method: Method
  readonly path: string
  readonly access: By
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly data: Data
  readonly answer: Answer
  /**
   * An extra rate limit per address and purpose. `critical`: 20 in 20 minutes, for calls that guess secrets or send mail; `sign-in`: 200,
   * since many people sign in from one office and attempts at each account have limits of their own.
   */
  readonly limit: 'none' | 'critical' | 'sign-in'
  /** Pages of other origins may not call it: every method except GET, and a GET that changes state. */
  readonly changes: boolean
  /**
   * Changes credentials: a session must have been opened, or its password confirmed, within five minutes. An access token never suffices.
   */
  readonly needsProof: boolean
  /** Bytes of the largest JSON body; undefined: that of console calls. */
  readonly bodyLimit: number | undefined
  /** Requires a human check when option TurnstileCheckEnabled is on. */
  readonly humanCheck: boolean
  /** `heavy`: reads many rows, so a user has two of them at once and the others wait. */
  readonly load: 'light' | 'heavy'
  /** The page that a browser which opens this call is sent to when it fails, with the code as `failed`; it answers success with a redirect. */
  readonly landing: string | undefined
  /** A change that is made while an administrator looks at an account; all others are refused then. */
  readonly isForViewers: boolean
  /** The right that a member needs to call it for an organisation; undefined: it is for people's own accounts only. */
  readonly right: Right | undefined
  /** One line for docs/generated/endpoints.md and OpenAPI. */
  readonly summary: string
}

type Part<T, K extends string> = T extends Record<K, infer S extends z.ZodType> ? S : undefined

type EndpointInput = {
  readonly method: Method
  readonly path: string
  readonly access: Access
  readonly summary: string
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  readonly data?: z.ZodType
  readonly answer?: z.ZodType
  readonly limit?: 'none' | 'critical' | 'sign-in'
  readonly humanCheck?: boolean
  readonly bodyLimit?: number
  readonly needsProof?: true
  readonly load?: 'heavy'
  readonly landing?: string
  /** Only needed for a GET that changes state. */
  readonly changes?: true
  /** A change that an administrator who looks at an account may make. */
  readonly isForViewers?: true
  readonly right?: Right
}

/** Declares one call; parts that are not given are `undefined` in the type and in the value. */
export function endpoint<const T extends EndpointInput>(
  input: T,
): Endpoint<Part<T, 'params'>, Part<T, 'query'>, Part<T, 'body'>, Part<T, 'data'>, Part<T, 'answer'>, T['access']> {
  // Every part is read under the name it was given; `Part` derives the same types for the compiler.
  return {
    method: input.method,
    path: input.path,
    access: input.access,
    summary: input.summary,
    params: input.params as Part<T, 'params'>,
    query: input.query as Part<T, 'query'>,
    body: input.body as Part<T, 'body'>,
    data: input.data as Part<T, 'data'>,
    answer: input.answer as Part<T, 'answer'>,
    limit: input.limit ?? 'none',
    bodyLimit: input.bodyLimit,
    humanCheck: input.humanCheck ?? false,
    needsProof: input.needsProof ?? false,
    load: input.load ?? 'light',
    landing: input.landing,
    isForViewers: input.isForViewers ?? false,
    right: input.right,
    changes: input.changes ?? input.method !== 'GET',
  }
}

type Out<S> = S extends z.ZodType ? z.output<S> : undefined
type In<S> = S extends z.ZodType ? z.input<S> : undefined

export type ParamsOf<E extends Endpoint> = Out<E['params']>
export type QueryOf<E extends Endpoint> = Out<E['query']>
export type BodyOf<E extends Endpoint> = Out<E['body']>
export type QueryInputOf<E extends Endpoint> = In<E['query']>
export type BodyInputOf<E extends Endpoint> = In<E['body']>
/** Result of a handler and of a call: the envelope's data, or the whole answer if one is declared. */
export type ResultOf<E extends Endpoint> = E['answer'] extends z.ZodType ? z.output<E['answer']> : Out<E['data']>
