import type { AnswerStream } from '../conversation/stream.ts'
import type { DecodedAsk, ModelAsk, RouteFacts } from '../conversation/ask.ts'
import type { ReadAnswer, SameInput } from '../conversation/dialect.ts'
import { decodeUpstreamError } from '../dialects/openai-chat/errors.ts'
import { encodeChatBody } from '../dialects/openai-chat/request.ts'
import type { Operation, Plan, PlanInput } from './operation.ts'
import type { Wire } from './wire.ts'
import { parseJson } from '../json.ts'

/** A call with a JSON body that exists in one format only: bytes pass, and are read beside. */
export type SingleCall = {
  readonly name: string
  readonly wire: Wire
  /** What may come back, where it is neither JSON nor an event stream. */
  readonly accept?: string
  readAsk(body: unknown, route: RouteFacts): DecodedAsk
  /** Usage and texts of a parsed whole answer, or the error inside a 200. */
  readAnswer(body: unknown, input: PlanInput): ReadAnswer
  /** For calls whose answer may come piece by piece: under which type, and its tap. */
  readonly stream?: {
    typeFor(content_type: string, input: PlanInput): string | undefined
    open(input: PlanInput): AnswerStream
  }
}

/** Such a call as an operation of the pipeline. */
export function single(call: SingleCall): Operation {
  return {
    name: call.name,
    body: 'json',
    readAsk: (body, route) => call.readAsk(body, route),
    wireFor: (wires) => (wires.includes(call.wire) ? call.wire : undefined),
    plan: (_, input) => singlePlan(call, input),
  }
}

function singlePlan(call: SingleCall, input: PlanInput): Plan {
  const { ask, raw } = input
  return {
    wire: call.wire,
    isSame: true,
    media: () => [],
    encode: ({ upstream_model, param_override, patch }) => ({
      body: encodeChatBody({ ...named(ask, raw), upstream_model, is_stream: ask.is_stream, asks_usage: false, param_override, patch }),
      content_type: 'application/json',
      loss: [],
      ...(call.accept === undefined ? {} : { accept: call.accept }),
    }),
    streamType: (content_type) => call.stream?.typeFor(content_type, input),
    openStream: () => {
      if (call.stream === undefined) throw new Error(`${call.name} has no stream`)
      return call.stream.open(input)
    },
    readWhole: (bytes, content_type) => {
      const read = call.readAnswer(parseJson(bytes.toString()), input)
      return read.kind === 'failed' ? read : { ...read, bytes, content_type: content_type || 'application/json', loss: [] }
    },
    decodeError: decodeUpstreamError,
  }
}

/** A body that named no model gets the one it meant. */
function named({ body, model }: ModelAsk, raw: Buffer): Pick<SameInput, 'raw' | 'body'> {
  if (body['model'] !== undefined) return { raw, body }
  const whole = { ...body, model }
  return { raw: Buffer.from(JSON.stringify(whole)), body: whole }
}
