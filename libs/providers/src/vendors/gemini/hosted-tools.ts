import type { HostedTools } from '../../chat/demands.ts'

/**
 * Gemma has none, and models before Gemini 3 do not combine them with functions.
 * https://ai.google.dev/gemini-api/docs/tools · https://ai.google.dev/gemini-api/docs/tool-combination (read 2026-11-27)
 */
export const GEMINI_TOOLS: readonly HostedTools[] = [
  { format: 'gemini', models: /gemini-[12](?!\d)/, tools: ['web-search', 'code-execution'], isAlone: true },
  { format: 'gemini', models: /gemini/, tools: ['web-search', 'code-execution'] },
]
