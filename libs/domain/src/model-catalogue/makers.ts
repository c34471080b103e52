/** A maker whose models the catalogue has: only the routes of its own API, since resellers set other prices under the same names. */
export type Maker = {
  readonly name: string
  /** Its models in litellm's file: the provider, and the head of their keys. */
  readonly litellm: { readonly provider: string; readonly head: string }
  /** Its id in genai-prices; absent: that catalogue does not have it. */
  readonly genai?: string
  /** A prompt of exactly the boundary is in the upper band. */
  readonly includesBoundary?: true
}

/** Alibaba Cloud also serves models of others, so it is the last. */
export const MAKERS: readonly Maker[] = [
  { name: 'OpenAI', litellm: { provider: 'openai', head: '' }, genai: 'openai' },
  { name: 'Anthropic', litellm: { provider: 'anthropic', head: '' }, genai: 'anthropic' },
  { name: 'Google', litellm: { provider: 'gemini', head: 'gemini/' }, genai: 'google' },
  { name: 'xAI', litellm: { provider: 'xai', head: 'xai/' }, genai: 'x-ai', includesBoundary: true },
  { name: 'Mistral', litellm: { provider: 'mistral', head: 'mistral/' }, genai: 'mistral' },
  { name: 'DeepSeek', litellm: { provider: 'deepseek', head: 'deepseek/' }, genai: 'deepseek' },
  { name: 'Z.AI', litellm: { provider: 'zai', head: 'zai/' }, genai: 'zai' },
  { name: 'Moonshot AI', litellm: { provider: 'moonshot', head: 'moonshot/' }, genai: 'moonshotai' },
  { name: 'Alibaba Cloud', litellm: { provider: 'dashscope', head: 'dashscope/' } },
]
