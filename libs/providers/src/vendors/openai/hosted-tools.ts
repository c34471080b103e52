import type { HostedTools } from '../../chat/demands.ts'

/**
 * Responses has the tools for all models, chat a search for those named after it.
 * https://developers.openai.com/api/docs/guides/tools · https://developers.openai.com/api/docs/guides/tools-web-search (read 2026-11-27)
 */
export const OPENAI_TOOLS: readonly HostedTools[] = [
  { format: 'openai-responses', tools: ['web-search', 'code-execution'] },
  { format: 'openai-chat', models: /search/, tools: ['web-search'] },
]
