import { ChannelType } from '../channel-types.ts'
import { OPENAI_COMPATIBLE_FORMATS } from '../../calls/api-format.ts'
import { bearer, vendor } from '../vendor.ts'
import { makerModels } from '../../catalogue/maker-models.gen.ts'

/** https://doc.fastgpt.io/docs/introduction/development/openapi/chat */
export const fastgpt = vendor({
  channelType: ChannelType.FastGPT,
  name: { zh: '知识库：FastGPT', en: 'Knowledge base: FastGPT' },
  ownedBy: 'custom',
  baseUrl: 'https://fastgpt.run/api/openapi',
  formats: OPENAI_COMPATIBLE_FORMATS,
  auth: bearer(),
  keyHint: { zh: '格式：APIKey-AppId，例如 fastgpt-0sp2gt…-64f335d8…', en: 'Format: APIKey-AppId, for example fastgpt-0sp2gt…-64f335d8…' },
  models: makerModels.OpenAI,
  listing: 'console',
  streamOptions: false,
  reference: { url: 'https://doc.fastgpt.io/docs/introduction/development/openapi/chat', checked: '2026-11-20' },
})
