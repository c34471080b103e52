import { contentsOf, listContents, type CarriedContext, type Content, type Place } from '../../content.ts'
import { isObject, listAt, textAt, type JsonObject } from '../../../json.ts'
import { decodeContent, decodeImage } from './decode-parts.ts'
import { isOpenAiModel } from './models.ts'

const PLACES: Readonly<Record<string, Place>> = {
  system: 'system',
  developer: 'developer',
  assistant: 'assistant',
  tool: 'result',
  function: 'result',
}

/** Contents of a checked body besides text, for vendors that cannot carry all of it. */
export function chatContents(body: JsonObject): Content[] {
  const messages = listAt(body, 'messages').flatMap((message, index) => {
    const place = PLACES[textAt(message, 'role') ?? ''] ?? 'user'
    const path = `messages[${index}]`
    const images = listAt(message, 'images').flatMap((image, at) => {
      const part = isObject(image) ? decodeImage(image, undefined) : undefined
      return part === undefined ? [] : contentsOf(`${path}.images[${at}]`, place, [part])
    })
    const content = listContents(listAt(message, 'content'), { path: `${path}.content`, place }, (part) => decodeContent([part]))
    return images.length === 0 ? content : [...content, ...images]
  })
  const outputs = (['audio', 'image'] as const).filter((modality) => listAt(body, 'modalities').includes(modality))
  return [...messages, ...outputs.map((modality): Content => ({ path: 'modalities', place: 'user', wants: { kind: 'output', modality } }))]
}

/** True if a vendor of this format receives it: the same decisions as in `encode-parts.ts` and `encode-messages.ts`. */
export function chatCarries({ place, wants }: Content, { model }: CarriedContext): boolean {
  switch (wants.kind) {
    case 'image':
      return wants.source.kind !== 'file' && (place !== 'assistant' || !isOpenAiModel(model))
    case 'document': {
      const { source } = wants
      if (source.kind === 'file') return place !== 'assistant' && (source.by === 'openai-chat' || source.by === 'openai-responses')
      return place !== 'assistant' && source.kind !== 'url'
    }
    case 'audio':
      if (place === 'assistant') return wants.source.kind === 'file' && wants.source.by === 'openai-chat'
      return wants.source.kind === 'base64'
    case 'video':
      return place !== 'assistant' && wants.source.kind !== 'file'
    case 'vendor-specific':
      return wants.by === 'openai-chat'
    default:
      return true
  }
}
