import type { ModelApis } from '../model-apis.ts'

/**
 * Which of OpenAI's two APIs serve its models, at OpenAI and Azure.
 * - Only Responses: the `supported endpoints` of each model's page, https://developers.openai.com/api/docs/models (read 2026-11-27).
 * - Since gpt-5.4, chat answers 400 to function tools unless `reasoning_effort` is `none`, from gpt-5.5 on also without that field:
 *   https://github.com/openai/openai-openapi/issues/541, https://github.com/BerriAI/litellm/pull/34569 (both 2026).
 * - Only Responses returns the reasoning that the next turn needs: https://developers.openai.com/api/docs/guides/reasoning
 */
export const openAiModelApis: readonly ModelApis[] = [
  {
    models: /^(?:ft:)?(?:(?:gpt-\d+(?:\.\d+)?|o\d+)-pro|gpt-\d+(?:\.\d+)?-codex|codex-|o\d+(?:-mini)?-deep-research|computer-use)/,
    lacks: ['openai-chat', 'openai-completions'],
    best: 'openai-responses',
  },
  // Models for chats do not reason, so chat takes their tools, and Responses would lose `stop`. Search models are served by chat only.
  { models: /^(?:ft:)?(?:gpt-\d+(?:\.\d+)?-(?:chat|search)|o1-(?:mini|preview))/, best: 'openai-chat' },
  {
    models: /^(?:ft:)?gpt-(?:5\.(?:[4-9]|\d\d)|[6-9]|1\d)(?!\d)/,
    refusesTools: ['openai-chat'],
    best: 'openai-responses',
  },
  { models: /^(?:ft:)?(?:o\d|gpt-5)/, best: 'openai-responses', isOnlyOwn: true },
]
