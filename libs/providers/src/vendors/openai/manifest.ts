import { ChannelType } from '../channel-types.ts'
import { OPENAI_COMPATIBLE_FORMATS } from '../../calls/api-format.ts'
import { bearer, vendor } from '../vendor.ts'
import { OPENAI_TOOLS } from './hosted-tools.ts'
import { openAiModelApis } from './model-apis.ts'
import { makerModels } from '../../catalogue/maker-models.gen.ts'

/** https://platform.openai.com/docs/api-reference/chat */
export const openai = vendor({
  channelType: ChannelType.OpenAI,
  name: { zh: 'OpenAI', en: 'OpenAI' },
  ownedBy: 'openai',
  baseUrl: 'https://api.openai.com',
  formats: [
    ...OPENAI_COMPATIBLE_FORMATS,
    'openai-image-edits-json',
    'openai-responses',
    'openai-token-count',
    'openai-compaction',
    'openai-realtime',
  ],
  modelApis: openAiModelApis,
  knowsDeveloper: true,
  auth: bearer(),
  organizationHeader: 'OpenAI-Organization',
  models: makerModels.OpenAI,
  listing: 'models',
  traits: { hosted_tools: OPENAI_TOOLS },
  streamOptions: true,
  reference: { url: 'https://platform.openai.com/docs/api-reference/chat', checked: '2026-11-20' },
})
