import { chatCodecs } from '../chat/formats/index.ts'
import { usageFromResponse } from '../chat/formats/openai-responses/usage.ts'
import { toRawUsage } from '../chat/answer-facts.ts'
import { isObject, parseJson } from '../json.ts'
import type { Operation, Translator, TranslatorInput } from '../calls/operation.ts'
import { encodeResponseBody } from './response-body.ts'

const { client, vendor } = chatCodecs['openai-responses']
const FORMAT = 'openai-compaction'
const DETAIL = 'a conversation is compacted only by a channel of OpenAI’s Responses API'

/**
 * POST /v1/responses/compact: a conversation in the vendor's own sealed form, charged by its usage. The next request with it goes to the
 * account that made it. https://developers.openai.com/api/reference/resources/responses/methods/compact
 */
export const responseCompaction: Operation = {
  name: 'response-compaction',
  body: 'json',
  readRequest: (body, route) => {
    const read = client.decodeRequest(body, route)
    return read.kind === 'ok' ? { kind: 'ok', request: { ...read.request, is_stream: false } } : read
  },
  findObstacle: () => ({ detail: DETAIL }),
  formatFor: (formats) => (formats.includes(FORMAT) ? FORMAT : undefined),
  createTranslator: (_format, input) => compactionTranslator(input),
}

function compactionTranslator(input: TranslatorInput): Translator {
  return {
    format: FORMAT,
    isSameFormat: true,
    media: () => [],
    encode: (encoding) => ({ body: encodeResponseBody(input, encoding), content_type: 'application/json', warnings: [] }),
    streamType: () => undefined,
    openStream: () => {
      throw new Error('a compaction has no stream')
    },
    readWhole: (bytes) => {
      const answer = parseJson(bytes.toString())
      if (!isObject(answer) || !Array.isArray(answer['output']))
        return { kind: 'failed', failure: { kind: 'malformed', message: 'the answer has no output' } }
      const usage = usageFromResponse(answer)
      return {
        kind: 'answer',
        bytes,
        content_type: 'application/json',
        texts: [],
        tool_texts: [],
        warnings: [],
        usage,
        raw_usage: usage === undefined ? undefined : toRawUsage(answer['usage']),
        finish: undefined,
        answer,
      }
    },
    decodeError: (status, body) => vendor.decodeError(status, body),
  }
}
