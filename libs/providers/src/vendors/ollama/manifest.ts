import { ChannelType } from '../channel-types.ts'
import { OPENAI_COMPATIBLE_FORMATS } from '../../calls/api-format.ts'
import { bearer, vendor } from '../vendor.ts'
import { models } from './models.ts'

/** https://docs.ollama.com/openai */
export const ollama = vendor({
  channelType: ChannelType.Ollama,
  name: { zh: 'Ollama', en: 'Ollama' },
  ownedBy: 'ollama',
  baseUrl: 'http://localhost:11434',
  formats: OPENAI_COMPATIBLE_FORMATS,
  systemMessages: { 'openai-chat': 'first' },
  auth: bearer(),
  models,
  listing: 'models',
  streamOptions: true,
  reference: { url: 'https://docs.ollama.com/openai', checked: '2026-11-20' },
})
