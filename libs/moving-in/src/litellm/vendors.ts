/** Fields of an entry that the proxy reads from variables where they are not stated. */
type Implied = 'api_key' | 'api_base' | 'api_version' | 'vertex_location' | `aws_${string}`

/** Where a vendor's entries go. Variables seen in LiteLLM 1.110.2: https://docs.litellm.ai/docs/providers */
export type Vendor = {
  readonly type: number
  /** The proxy's default address, where the channel type has another. */
  readonly base_url: string
  /** The variables of each field, first the one that wins. */
  readonly implied: Readonly<Partial<Record<Implied, readonly string[]>>>
}

const OPENAI = 1
export const AWS = 33
export const VERTEX = 41

/** A vendor with a channel type: its variables are PREFIX_API_KEY and PREFIX_API_BASE, or the given ones. */
function known(type: number, prefix: string, more: Vendor['implied'] = {}, base_url = ''): Vendor {
  return { type, base_url, implied: { api_key: [`${prefix}_API_KEY`], api_base: [`${prefix}_API_BASE`], ...more } }
}
/** A vendor that answers as OpenAI does. The address is without /v1, which calls add. */
const compatible = (prefix: string, base_url: string, api_key: readonly string[] = [`${prefix}_API_KEY`]): Vendor =>
  known(OPENAI, prefix, { api_key }, base_url)

const openai = known(OPENAI, 'OPENAI', { api_base: ['OPENAI_BASE_URL', 'OPENAI_API_BASE'] })
const ollama = known(4, 'OLLAMA')
const cohere = known(34, 'COHERE', { api_key: ['COHERE_API_KEY', 'CO_API_KEY'] })

export const VENDORS: Readonly<Record<string, Vendor>> = {
  openai,
  'text-completion-openai': openai,
  custom_openai: openai,
  openai_like: known(OPENAI, 'OPENAI_LIKE'),
  hosted_vllm: known(OPENAI, 'HOSTED_VLLM'),
  lm_studio: known(OPENAI, 'LM_STUDIO'),
  litellm_proxy: known(OPENAI, 'LITELLM_PROXY'),
  azure: known(3, 'AZURE', { api_key: ['AZURE_OPENAI_API_KEY', 'AZURE_API_KEY'], api_version: ['AZURE_API_VERSION'] }),
  ollama,
  ollama_chat: ollama,
  anthropic: known(14, 'ANTHROPIC', { api_base: ['ANTHROPIC_API_BASE', 'ANTHROPIC_BASE_URL'] }),
  dashscope: known(17, 'DASHSCOPE'),
  openrouter: known(20, 'OPENROUTER', { api_key: ['OPENROUTER_API_KEY', 'OR_API_KEY'] }),
  gemini: known(24, 'GEMINI', { api_key: ['GOOGLE_API_KEY', 'GEMINI_API_KEY'] }),
  moonshot: known(25, 'MOONSHOT', {}, 'https://api.moonshot.ai'),
  zai: known(26, 'ZAI', {}, 'https://api.z.ai'),
  perplexity: known(27, 'PERPLEXITY', { api_key: ['PERPLEXITYAI_API_KEY', 'PERPLEXITY_API_KEY'] }),
  bedrock: {
    type: AWS,
    base_url: '',
    implied: {
      api_key: ['AWS_BEARER_TOKEN_BEDROCK'],
      aws_access_key_id: ['AWS_ACCESS_KEY_ID'],
      aws_secret_access_key: ['AWS_SECRET_ACCESS_KEY'],
      aws_region_name: ['AWS_REGION_NAME', 'AWS_REGION'],
      aws_bedrock_runtime_endpoint: ['AWS_BEDROCK_RUNTIME_ENDPOINT'],
    },
  },
  cohere,
  cohere_chat: cohere,
  minimax: known(35, 'MINIMAX'),
  jina_ai: known(38, 'JINA_AI', { api_key: ['JINA_AI_API_KEY', 'JINA_API_KEY', 'JINA_AI_TOKEN'] }),
  vertex_ai: {
    type: VERTEX,
    base_url: '',
    implied: { api_base: ['VERTEXAI_API_BASE', 'VERTEX_API_BASE'], vertex_location: ['VERTEXAI_LOCATION', 'VERTEX_LOCATION'] },
  },
  mistral: known(42, 'MISTRAL'),
  deepseek: known(43, 'DEEPSEEK'),
  volcengine: known(45, 'VOLCENGINE', { api_key: ['VOLCENGINE_API_KEY', 'ARK_API_KEY'] }),
  xinference: known(47, 'XINFERENCE'),
  xai: known(48, 'XAI'),
  replicate: known(56, 'REPLICATE', { api_key: ['REPLICATE_API_KEY', 'REPLICATE_API_TOKEN'] }),
  aihubmix: compatible('AIHUBMIX', 'https://aihubmix.com'),
  baseten: compatible('BASETEN', 'https://inference.baseten.co'),
  cerebras: compatible('CEREBRAS', 'https://api.cerebras.ai'),
  chutes: compatible('CHUTES', 'https://llm.chutes.ai'),
  featherless_ai: compatible('FEATHERLESS', 'https://api.featherless.ai', ['FEATHERLESS_AI_API_KEY', 'FEATHERLESS_API_KEY']),
  fireworks_ai: compatible('FIREWORKS', 'https://api.fireworks.ai/inference', [
    'FIREWORKS_API_KEY',
    'FIREWORKS_AI_API_KEY',
    'FIREWORKSAI_API_KEY',
    'FIREWORKS_AI_TOKEN',
  ]),
  friendliai: compatible('FRIENDLI', 'https://api.friendli.ai/serverless', ['FRIENDLIAI_API_KEY', 'FRIENDLI_TOKEN']),
  groq: compatible('GROQ', 'https://api.groq.com/openai'),
  hyperbolic: compatible('HYPERBOLIC', 'https://api.hyperbolic.xyz'),
  lambda_ai: compatible('LAMBDA', 'https://api.lambda.ai'),
  'nano-gpt': compatible('NANOGPT', 'https://nano-gpt.com/api'),
  nebius: compatible('NEBIUS', 'https://api.studio.nebius.ai'),
  nvidia_nim: compatible('NVIDIA_NIM', 'https://integrate.api.nvidia.com'),
  poe: compatible('POE', 'https://api.poe.com'),
  sambanova: compatible('SAMBANOVA', 'https://api.sambanova.ai'),
  scaleway: compatible('SCALEWAY', 'https://api.scaleway.ai', ['SCW_SECRET_KEY']),
  together_ai: compatible('TOGETHER_AI', 'https://api.together.xyz', [
    'TOGETHER_API_KEY',
    'TOGETHER_AI_API_KEY',
    'TOGETHERAI_API_KEY',
    'TOGETHER_AI_TOKEN',
  ]),
  vercel_ai_gateway: compatible('VERCEL_AI_GATEWAY', 'https://ai-gateway.vercel.sh'),
  veniceai: compatible('VENICE_AI', 'https://api.venice.ai/api'),
  wandb: compatible('WANDB', 'https://api.inference.wandb.ai'),
  xiaomi_mimo: compatible('XIAOMI_MIMO', 'https://api.xiaomimimo.com'),
}
