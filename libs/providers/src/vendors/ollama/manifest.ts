import { ChannelType } from '../channel-types.ts'
import { bearer, vendor } from '../vendor.ts'
import { models } from './models.ts'

/** https://docs.ollama.com/openai */
export const ollama = vendor({
  channelType: ChannelType.Ollama,
  name: { zh: 'Ollama', en: 'Ollama' },
  ownedBy: 'ollama',
  baseUrl: 'http://localhost:11434',
  speaks: { chat: 'openai-chat' },
  auth: bearer(),
  models,
  listing: 'models',
  streamOptions: true,
})
