import { ChannelType } from '../channel-types.ts'
import { OPENAI_COMPATIBLE_FORMATS } from '../../calls/api-format.ts'
import { bearer, vendor } from '../vendor.ts'
import { makerModels } from '../../catalogue/maker-models.gen.ts'

/** https://api-docs.deepseek.com/api/create-chat-completion */
export const deepseek = vendor({
  channelType: ChannelType.DeepSeek,
  name: { zh: 'DeepSeek', en: 'DeepSeek' },
  ownedBy: 'deepseek',
  baseUrl: 'https://api.deepseek.com',
  formats: OPENAI_COMPATIBLE_FORMATS,
  // "response_format type is unavailable now": https://api-docs.deepseek.com/api/create-chat-completion, https://github.com/llm-exe/llm-exe/issues/662
  traits: { models: [{ models: /(?:)/, has_schemas: false }] },
  auth: bearer(),
  models: makerModels.DeepSeek,
  listing: 'models',
  streamOptions: true,
  reference: { url: 'https://api-docs.deepseek.com/api/create-chat-completion', checked: '2026-11-20' },
})
