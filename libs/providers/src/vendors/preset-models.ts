import { makerModels } from '../catalogue/maker-models.gen.ts'

export const midjourneyProxy = [
  'mj_imagine',
  'mj_variation',
  'mj_reroll',
  'mj_blend',
  'mj_upscale',
  'mj_describe',
  'mj_upload',
] as const satisfies readonly string[]

export const midjourneyProxyPlus = [
  'swap_face',
  'mj_imagine',
  'mj_variation',
  'mj_reroll',
  'mj_blend',
  'mj_upscale',
  'mj_describe',
  'mj_zoom',
  'mj_shorten',
  'mj_modal',
  'mj_inpaint',
  'mj_custom_zoom',
  'mj_high_variation',
  'mj_low_variation',
  'mj_pan',
  'mj_upload',
  'mj_edits',
  'mj_video',
] as const satisfies readonly string[]

export const paLM = ['PaLM-2'] as const satisfies readonly string[]

export const baidu = [
  'ERNIE-4.0-8K',
  'ERNIE-3.5-8K',
  'ERNIE-3.5-8K-0205',
  'ERNIE-3.5-8K-1222',
  'ERNIE-Bot-8K',
  'ERNIE-3.5-4K-0205',
  'ERNIE-Speed-8K',
  'ERNIE-Speed-128K',
  'ERNIE-Lite-8K-0922',
  'ERNIE-Lite-8K-0308',
  'ERNIE-Tiny-8K',
  'BLOOMZ-7B',
  'Embedding-V1',
  'bge-large-zh',
  'bge-large-en',
  'tao-8k',
] as const satisfies readonly string[]

export const zhipu = ['chatglm_turbo', 'chatglm_pro', 'chatglm_std', 'chatglm_lite'] as const satisfies readonly string[]

export const xunfei = [
  'SparkDesk',
  'SparkDesk-v1.1',
  'SparkDesk-v2.1',
  'SparkDesk-v3.1',
  'SparkDesk-v3.5',
  'SparkDesk-v4.0',
] as const satisfies readonly string[]

export const tencent = ['hunyuan-lite', 'hunyuan-standard', 'hunyuan-standard-256K', 'hunyuan-pro'] as const satisfies readonly string[]

export const zhipuV4 = [
  'glm-4',
  'glm-4v',
  'glm-3-turbo',
  'glm-4-alltools',
  'glm-4-plus',
  'glm-4-0520',
  'glm-4-air',
  'glm-4-airx',
  'glm-4-long',
  'glm-4-flash',
  'glm-4v-plus',
] as const satisfies readonly string[]

export const perplexity = [
  'llama-3-sonar-small-32k-chat',
  'llama-3-sonar-small-32k-online',
  'llama-3-sonar-large-32k-chat',
  'llama-3-sonar-large-32k-online',
  'llama-3-8b-instruct',
  'llama-3-70b-instruct',
  'mixtral-8x7b-instruct',
] as const satisfies readonly string[]

export const bedrock = [
  'claude-2.0',
  'claude-2.1',
  'claude-3-5-haiku-20241022',
  'claude-3-5-sonnet-20240620',
  'claude-3-5-sonnet-20241022',
  'claude-3-7-sonnet-20250219',
  'claude-3-haiku-20240307',
  'claude-3-opus-20240229',
  'claude-3-sonnet-20240229',
  'claude-instant-1.2',
  'claude-opus-4-20250514',
  'claude-sonnet-4-20250514',
] as const satisfies readonly string[]

export const cohere = [
  'command-a-03-2025',
  'command-r',
  'command-r-plus',
  'command-r-08-2024',
  'command-r-plus-08-2024',
  'c4ai-aya-23-35b',
  'c4ai-aya-23-8b',
  'command-light',
  'command-light-nightly',
  'command',
  'command-nightly',
  'rerank-english-v3.0',
  'rerank-multilingual-v3.0',
  'rerank-english-v2.0',
  'rerank-multilingual-v2.0',
] as const satisfies readonly string[]

export const miniMax = ['abab6.5-chat', 'abab6.5s-chat', 'abab6-chat', 'abab5.5-chat', 'abab5.5s-chat'] as const satisfies readonly string[]

export const suno = ['suno_music', 'suno_lyrics'] as const satisfies readonly string[]

export const jina = ['jina-clip-v1', 'jina-reranker-v2-base-multilingual'] as const satisfies readonly string[]

export const cloudflare = [
  '@cf/meta/llama-3.1-8b-instruct',
  '@cf/meta/llama-2-7b-chat-fp16',
  '@cf/meta/llama-2-7b-chat-int8',
  '@cf/mistral/mistral-7b-instruct-v0.1',
  '@hf/thebloke/deepseek-coder-6.7b-base-awq',
  '@hf/thebloke/deepseek-coder-6.7b-instruct-awq',
  '@cf/deepseek-ai/deepseek-math-7b-base',
  '@cf/deepseek-ai/deepseek-math-7b-instruct',
  '@cf/thebloke/discolm-german-7b-v1-awq',
  '@cf/tiiuae/falcon-7b-instruct',
  '@cf/google/gemma-2b-it-lora',
  '@hf/google/gemma-7b-it',
  '@cf/google/gemma-7b-it-lora',
  '@hf/nousresearch/hermes-2-pro-mistral-7b',
  '@hf/thebloke/llama-2-13b-chat-awq',
  '@cf/meta-llama/llama-2-7b-chat-hf-lora',
  '@cf/meta/llama-3-8b-instruct',
  '@hf/thebloke/llamaguard-7b-awq',
  '@hf/thebloke/mistral-7b-instruct-v0.1-awq',
  '@hf/mistralai/mistral-7b-instruct-v0.2',
  '@cf/mistral/mistral-7b-instruct-v0.2-lora',
  '@hf/thebloke/neural-chat-7b-v3-1-awq',
  '@cf/openchat/openchat-3.5-0106',
  '@hf/thebloke/openhermes-2.5-mistral-7b-awq',
  '@cf/microsoft/phi-2',
  '@cf/qwen/qwen1.5-0.5b-chat',
  '@cf/qwen/qwen1.5-1.8b-chat',
  '@cf/qwen/qwen1.5-14b-chat-awq',
  '@cf/qwen/qwen1.5-7b-chat-awq',
  '@cf/defog/sqlcoder-7b-2',
  '@hf/nexusflow/starling-lm-7b-beta',
  '@cf/tinyllama/tinyllama-1.1b-chat-v1.0',
  '@hf/thebloke/zephyr-7b-beta-awq',
] as const satisfies readonly string[]

export const vertexAI = [
  'meta/llama3-405b-instruct-maas',
  ...makerModels.Anthropic,
  ...makerModels.Google,
] as const satisfies readonly string[]

export const mokaAI = ['m3e-large', 'm3e-base', 'm3e-small'] as const satisfies readonly string[]

export const baiduV2 = [
  'ernie-4.0-8k-latest',
  'ernie-4.0-8k-preview',
  'ernie-4.0-8k',
  'ernie-4.0-turbo-8k-latest',
  'ernie-4.0-turbo-8k-preview',
  'ernie-4.0-turbo-8k',
  'ernie-4.0-turbo-128k',
  'ernie-3.5-8k-preview',
  'ernie-3.5-8k',
  'ernie-3.5-128k',
  'ernie-speed-8k',
  'ernie-speed-128k',
  'ernie-speed-pro-128k',
  'ernie-lite-8k',
  'ernie-lite-pro-128k',
  'ernie-tiny-8k',
  'ernie-char-8k',
  'ernie-char-fiction-8k',
  'ernie-novel-8k',
  'deepseek-v3',
  'deepseek-r1',
  'deepseek-r1-distill-qwen-32b',
  'deepseek-r1-distill-qwen-14b',
] as const satisfies readonly string[]

export const coze = [
  'moonshot-v1-8k',
  'moonshot-v1-32k',
  'moonshot-v1-128k',
  'Baichuan4',
  'abab6.5s-chat-pro',
  'glm-4-0520',
  'qwen-max',
  'deepseek-r1',
  'deepseek-v3',
  'deepseek-r1-distill-qwen-32b',
  'deepseek-r1-distill-qwen-7b',
  'step-1v-8k',
  'step-1.5v-mini',
  'Doubao-pro-32k',
  'Doubao-pro-256k',
  'Doubao-lite-128k',
  'Doubao-lite-32k',
  'Doubao-vision-lite-32k',
  'Doubao-vision-pro-32k',
  'Doubao-1.5-pro-vision-32k',
  'Doubao-1.5-lite-32k',
  'Doubao-1.5-pro-32k',
  'Doubao-1.5-thinking-pro',
  'Doubao-1.5-pro-256k',
] as const satisfies readonly string[]

export const kling = ['kling-v1', 'kling-v1-6', 'kling-v2-master'] as const satisfies readonly string[]

export const jimeng = ['jimeng_vgfm_t2v_l20'] as const satisfies readonly string[]

export const vidu = ['viduq2', 'viduq1', 'vidu2.0', 'vidu1.5'] as const satisfies readonly string[]

export const doubaoVideo = [
  'doubao-seedance-1-0-pro-250528',
  'doubao-seedance-1-0-lite-t2v',
  'doubao-seedance-1-0-lite-i2v',
  'doubao-seedance-1-5-pro-251215',
  'doubao-seedance-2-0-260128',
  'doubao-seedance-2-0-fast-260128',
] as const satisfies readonly string[]

export const sora = ['sora-2', 'sora-2-pro'] as const satisfies readonly string[]

export const replicate = ['black-forest-labs/flux-1.1-pro'] as const satisfies readonly string[]

export const codex = [
  'gpt-5',
  'gpt-5-codex',
  'gpt-5-codex-mini',
  'gpt-5.1',
  'gpt-5.1-codex',
  'gpt-5.1-codex-max',
  'gpt-5.1-codex-mini',
  'gpt-5.2',
  'gpt-5.2-codex',
  'gpt-5.3-codex',
  'gpt-5.3-codex-spark',
  'gpt-5.4',
  'gpt-5.6-sol',
  'gpt-5.6-terra',
  'gpt-5.6-luna',
] as const satisfies readonly string[]
