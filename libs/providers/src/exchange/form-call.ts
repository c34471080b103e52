import type { DecodedAsk, RouteFacts } from '../conversation/ask.ts'
import type { ReadAnswer } from '../conversation/dialect.ts'
import type { AnswerStream } from '../conversation/stream.ts'
import { decodeUpstreamError } from '../dialects/openai-chat/errors.ts'
import { type JsonObject } from '../json.ts'
import { encodeForm, fieldsOf, type Form } from './form.ts'
import type { EncodeInput, Encoded, Operation, Plan, PlanInput } from './operation.ts'
import { invalid } from './plain.ts'
import type { Wire } from './wire.ts'

/** A call whose body is a form with files. Bytes pass, unless a field must change. */
export type FormCall = {
  readonly name: string
  readonly wire: Wire
  /** Its file is audio whose duration may be what is charged. */
  readonly measures?: 'audio'
  readAsk(form: Form, fields: JsonObject, route: RouteFacts): DecodedAsk
  readAnswer(bytes: Buffer, content_type: string, input: PlanInput): ReadAnswer
  readonly stream?: { open(input: PlanInput): AnswerStream }
}

/** Such a call as an operation of the pipeline. */
export function formCall(call: FormCall): Operation {
  return {
    name: call.name,
    body: 'multipart',
    ...(call.measures === undefined ? {} : { measures: call.measures }),
    readAsk: (body, route) => {
      const fields = fieldsOf(body as Form) // the pipeline reads forms for operations that say `multipart`
      if (fields === undefined) return invalid('request.field', 'a field is given more than once')
      const read = call.readAsk(body as Form, fields, route)
      return read.kind === 'ok' ? { kind: 'ok', ask: { ...read.ask, form: body as Form } } : read
    },
    wireFor: (wires) => (wires.includes(call.wire) ? call.wire : undefined),
    plan: (_, input) => formPlan(call, input),
  }
}

function formPlan(call: FormCall, input: PlanInput): Plan {
  return {
    wire: call.wire,
    isSame: true,
    media: () => [],
    encode: (encoding) => encode(input, encoding),
    streamType: (content_type) =>
      call.stream !== undefined && content_type.toLowerCase().includes('event-stream') ? 'text/event-stream' : undefined,
    openStream: () => {
      if (call.stream === undefined) throw new Error(`${call.name} has no stream`)
      return call.stream.open(input)
    },
    readWhole: (bytes, content_type) => {
      const read = call.readAnswer(bytes, content_type.toLowerCase(), input)
      return read.kind === 'failed' ? read : { ...read, bytes, content_type: content_type || 'application/json', loss: [] }
    },
    decodeError: decodeUpstreamError,
  }
}

function encode({ ask, raw, content_type, request_id }: PlanInput, { upstream_model, param_override }: EncodeInput): Encoded {
  const overrides = Object.entries(param_override).filter(([, value]) => value !== null && typeof value !== 'object')
  const loss = Object.keys(param_override).filter((name) => !overrides.some(([kept]) => kept === name))
  const wanted = { model: upstream_model, ...Object.fromEntries(overrides.map(([name, value]) => [name, String(value)])) }
  const changes = Object.fromEntries(Object.entries(wanted).filter(([name, value]) => ask.body[name] !== value))
  if (Object.keys(changes).length === 0 || ask.form === undefined) return { body: raw, content_type, loss, accept: '*/*' }
  const boundary = `tollgate-${request_id}`
  return {
    body: encodeForm(ask.form, changes, boundary),
    content_type: `multipart/form-data; boundary=${boundary}`,
    loss,
    accept: '*/*',
  }
}
