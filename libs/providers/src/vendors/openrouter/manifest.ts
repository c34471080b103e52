import { ChannelType } from '../channel-types.ts'
import { OPENAI_COMPATIBLE_FORMATS } from '../../calls/api-format.ts'
import { bearer, vendor } from '../vendor.ts'
import { models } from './models.ts'

/** https://openrouter.ai/docs/api-reference/overview */
export const openrouter = vendor({
  channelType: ChannelType.OpenRouter,
  name: { zh: 'OpenRouter', en: 'OpenRouter' },
  ownedBy: 'openrouter',
  baseUrl: 'https://openrouter.ai/api',
  formats: OPENAI_COMPATIBLE_FORMATS,
  knowsDeveloper: true,
  auth: bearer(),
  models,
  listing: 'models',
  streamOptions: true,
  // https://openrouter.ai/docs/use-cases/reasoning-tokens (read 2026-11-24) · https://openrouter.ai/docs/features/web-search
  // (read 2026-11-27): the field is for models that search by themselves; others need the vendor's plugin, whose results usage does not state.
  traits: {
    reasoning_details: true,
    user_limit: 128,
    hosted_tools: [{ format: 'openai-chat', models: /^perplexity\/|search|:online$/, tools: ['web-search'] }],
  },
  reference: { url: 'https://openrouter.ai/docs/api-reference/overview', checked: '2026-11-20' },
})
