import { ChannelType } from '../channel-types.ts'
import { makerModels } from '../../catalogue/maker-models.gen.ts'
import { vendor } from '../vendor.ts'

/** https://docs.anthropic.com/en/api/messages */
export const anthropic = vendor({
  channelType: ChannelType.Anthropic,
  name: { zh: 'Anthropic Claude', en: 'Anthropic Claude' },
  ownedBy: 'claude',
  baseUrl: 'https://api.anthropic.com',
  formats: ['anthropic-messages', 'anthropic-token-count'],
  auth: { kind: 'header', name: 'x-api-key' },
  headers: () => ({ 'anthropic-version': '2023-06-01' }),
  models: makerModels.Anthropic,
  listing: 'models',
  // https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-reference (read 2026-11-27)
  traits: { keeps_threads: true, hosted_tools: [{ format: 'anthropic-messages', tools: ['web-search', 'code-execution'] }] },
  streamOptions: false,
  reference: { url: 'https://docs.anthropic.com/en/api/messages', checked: '2026-11-20' },
})
