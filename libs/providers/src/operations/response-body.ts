import { chatCodecs } from '../chat/formats/index.ts'
import type { EncodeInput, TranslatorInput } from '../calls/operation.ts'

/** The body of a call of OpenAI's Responses API that makes no answer, as the client sent it but for what the channel sets. */
export function encodeResponseBody({ request, raw }: TranslatorInput, { upstream_model, param_override, patch }: EncodeInput): Buffer {
  return chatCodecs['openai-responses'].passThrough.encodeBody({
    raw,
    body: request.body,
    upstream_model,
    is_stream: false,
    supports_stream_options: false,
    param_override,
    patch,
    state: request.state,
  })
}
