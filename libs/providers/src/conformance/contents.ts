import type { ChatFormat } from '../chat/request.ts'
import type { JsonObject } from '../json.ts'

/** Contents besides text, as clients of each format send them; every sample has the text MARK where its data or address is. */
export const MARK = 'Q09OVEVOVA=='
const ADDRESS = `https://files.example/${MARK}`

type Sample = { readonly field: string; readonly body: JsonObject }
type Samples = Partial<Record<ChatFormat, Sample>>

const chat = (part: JsonObject): Sample => ({
  field: 'messages[0].content[1]',
  body: { model: 'm', messages: [{ role: 'user', content: [{ type: 'text', text: 'look' }, part] }] },
})
const responses = (part: JsonObject): Sample => ({
  field: 'input[0].content[1]',
  body: { model: 'm', input: [{ role: 'user', content: [{ type: 'input_text', text: 'look' }, part] }] },
})
const messages = (part: JsonObject): Sample => ({
  field: 'messages[0].content[1]',
  body: { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: [{ type: 'text', text: 'look' }, part] }] },
})
const gemini = (part: JsonObject): Sample => ({
  field: 'contents[0].parts[1]',
  body: { contents: [{ role: 'user', parts: [{ text: 'look' }, part] }] },
})

/** A format without the content has no sample. */
export const CONTENTS = {
  'image inline': {
    'openai-chat': chat({ type: 'image_url', image_url: { url: `data:image/png;base64,${MARK}` } }),
    'openai-responses': responses({ type: 'input_image', image_url: `data:image/png;base64,${MARK}` }),
    'anthropic-messages': messages({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: MARK } }),
    gemini: gemini({ inlineData: { mimeType: 'image/png', data: MARK } }),
  },
  'image by address': {
    'openai-chat': chat({ type: 'image_url', image_url: { url: ADDRESS } }),
    'openai-responses': responses({ type: 'input_image', image_url: ADDRESS }),
    'anthropic-messages': messages({ type: 'image', source: { type: 'url', url: ADDRESS } }),
    gemini: gemini({ fileData: { mimeType: 'image/png', fileUri: ADDRESS } }),
  },
  'image by file id': {
    'openai-responses': responses({ type: 'input_image', file_id: MARK }),
    'anthropic-messages': messages({ type: 'image', source: { type: 'file', file_id: MARK } }),
    gemini: gemini({ fileData: { mimeType: 'image/png', fileUri: `files/${MARK}` } }),
  },
  'PDF inline': {
    'openai-chat': chat({ type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${MARK}` } }),
    'openai-responses': responses({ type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${MARK}` }),
    'anthropic-messages': messages({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: MARK } }),
    gemini: gemini({ inlineData: { mimeType: 'application/pdf', data: MARK } }),
  },
  'PDF by address': {
    'openai-responses': responses({ type: 'input_file', file_url: ADDRESS }),
    'anthropic-messages': messages({ type: 'document', source: { type: 'url', url: ADDRESS } }),
    gemini: gemini({ fileData: { mimeType: 'application/pdf', fileUri: ADDRESS } }),
  },
  'PDF by file id': {
    'openai-chat': chat({ type: 'file', file: { file_id: MARK } }),
    'openai-responses': responses({ type: 'input_file', file_id: MARK }),
    'anthropic-messages': messages({ type: 'document', source: { type: 'file', file_id: MARK } }),
    gemini: gemini({ fileData: { mimeType: 'application/pdf', fileUri: `files/${MARK}` } }),
  },
  'other file inline': {
    'openai-chat': chat({ type: 'file', file: { filename: 'a.zip', file_data: `data:application/zip;base64,${MARK}` } }),
    'openai-responses': responses({ type: 'input_file', filename: 'a.zip', file_data: `data:application/zip;base64,${MARK}` }),
    gemini: gemini({ inlineData: { mimeType: 'application/zip', data: MARK } }),
  },
  'audio inline': {
    'openai-chat': chat({ type: 'input_audio', input_audio: { data: MARK, format: 'wav' } }),
    'openai-responses': responses({ type: 'input_audio', input_audio: { data: MARK, format: 'wav' } }),
    gemini: gemini({ inlineData: { mimeType: 'audio/wav', data: MARK } }),
  },
  'audio by file id': { gemini: gemini({ fileData: { mimeType: 'audio/wav', fileUri: `files/${MARK}` } }) },
  'video inline': {
    'openai-chat': chat({ type: 'video_url', video_url: { url: `data:video/mp4;base64,${MARK}` } }),
    gemini: gemini({ inlineData: { mimeType: 'video/mp4', data: MARK } }),
  },
  'image in a tool result': {
    'openai-responses': {
      field: 'input[2].output[0]',
      body: {
        model: 'm',
        input: [
          { role: 'user', content: 'look' },
          { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
          { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_image', image_url: `data:image/png;base64,${MARK}` }] },
        ],
      },
    },
    'anthropic-messages': {
      field: 'messages[2].content[0].content[0]',
      body: {
        model: 'm',
        max_tokens: 100,
        messages: [
          { role: 'user', content: 'look' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }] },
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: 'c',
                content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: MARK } }],
              },
            ],
          },
        ],
      },
    },
  },
  'a part of the format alone': {
    'openai-chat': chat({ type: 'special_part', special: MARK }),
    'openai-responses': {
      field: 'input[1]',
      body: {
        model: 'm',
        input: [
          { role: 'user', content: 'x' },
          { type: 'computer_call_output', output: MARK },
        ],
      },
    },
    'anthropic-messages': messages({ type: 'container_upload', file_id: MARK }),
    gemini: gemini({ codeExecutionResult: { outcome: 'OUTCOME_OK', output: MARK } }),
  },
} as const satisfies Record<string, Samples>

export type ContentName = keyof typeof CONTENTS
export const CONTENT_NAMES = Object.keys(CONTENTS).filter((name): name is ContentName => name in CONTENTS)

export function sampleOf(name: ContentName, client: ChatFormat): Sample | undefined {
  const samples: Samples = CONTENTS[name]
  return samples[client]
}
