import { GEMINI_TOOLS } from './hosted-tools.ts'
import { ChannelType } from '../channel-types.ts'
import { makerModels } from '../../catalogue/maker-models.gen.ts'
import type { ApiFormat } from '../../calls/api-format.ts'
import { IMAGEN } from './imagen-models.ts'
import { vendor } from '../vendor.ts'

/** https://ai.google.dev/api/generate-content */
export const gemini = vendor({
  channelType: ChannelType.Gemini,
  name: { zh: 'Google Gemini', en: 'Google Gemini' },
  ownedBy: 'google gemini',
  baseUrl: 'https://generativelanguage.googleapis.com',
  formats: formatsFor,
  auth: { kind: 'header', name: 'x-goog-api-key' },
  otherHint: { zh: 'API 版本', en: 'API version' },
  models: makerModels.Google,
  listing: 'models',
  traits: { hosted_tools: GEMINI_TOOLS },
  streamOptions: false,
  reference: { url: 'https://ai.google.dev/api/generate-content', checked: '2026-11-20' },
})

const FORMATS: readonly ApiFormat[] = [
  'gemini',
  'gemini-embeddings',
  'gemini-embed-content',
  'gemini-token-count',
  'gemini-live',
  'gemini-caches',
]

/** Models that make videos by interactions: https://ai.google.dev/gemini-api/docs/models/gemini-omni-flash */
const VIDEO = /^gemini-omni-/

function formatsFor(model: string): readonly ApiFormat[] {
  if (model === '') return [...FORMATS, 'gemini-predict', 'video']
  if (VIDEO.test(model)) return [...FORMATS, 'video']
  return IMAGEN.test(model) ? ['gemini-predict'] : FORMATS
}
