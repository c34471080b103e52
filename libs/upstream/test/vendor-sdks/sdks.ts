import type { ChatFormat } from '@tollgate/providers/chat/request'
import { ChannelType } from '@tollgate/providers/vendors/channel-types'

/** The conversations that every SDK is asked for, where its vendor has them. */
export const CONVERSATIONS = ['plain', 'stream', 'tools', 'tool result', 'thinking', 'picture', 'schema', 'embedding', 'rerank'] as const
export type Conversation = (typeof CONVERSATIONS)[number]

/** Types of answers in the declarations of a package. */
type SdkTypes = {
  /** The module and the type in it, by what it is the answer of: `package/module#Name`. */
  readonly names: Readonly<Partial<Record<AnswerKind, string>>>
  /** Fields of requests that the gateway leaves out though the SDK declares them, and why. */
  readonly leftOut?: Readonly<Record<string, string>>
  /** The SDK renames fields to camel case; the API has them in snake case. */
  readonly isSnakeCase?: true
}

/** `stream` is the type of one event, `request` that of a chat request. */
export type AnswerKind = 'chat' | 'stream' | 'embedding' | 'rerank' | 'request'

/** A vendor's own client: how it is installed and run, and the channel that must send the same. */
export type VendorSdk = {
  /** Its name in its registry. */
  readonly package: string
  readonly version: string
  readonly registry: 'npm' | 'pypi'
  /** The program that runs it, in `scripts/vendor-sdks/programs/`. */
  readonly program: string
  /** The vendor's folder in `libs/providers/src/vendors/`. */
  readonly folder: string
  readonly type: ChannelType
  readonly base_url?: string
  readonly key?: string
  readonly other?: string
  /** The format of the client whose request becomes the vendor's. */
  readonly client: ChatFormat
  /** Names of models by conversation; `chat` is the default. */
  readonly models: Readonly<Partial<Record<Conversation, string>>> & { readonly chat: string }
  /** The declarations of its answers, for the test that feeds them to our decoders. */
  readonly types?: SdkTypes
  /** Why these conversations go to another API of the vendor, so that only their recording is kept. */
  readonly otherApi?: { readonly conversations: readonly Conversation[]; readonly why: string }
}

const CHATS = CONVERSATIONS.filter((name) => name !== 'embedding' && name !== 'rerank')

export const VENDOR_SDKS: readonly VendorSdk[] = [
  {
    package: '@mistralai/mistralai',
    version: '2.7.0',
    registry: 'npm',
    program: 'mistral.mjs',
    folder: 'mistral',
    type: ChannelType.Mistral,
    client: 'openai-chat',
    models: { chat: 'mistral-large-latest', thinking: 'mistral-small-latest', embedding: 'mistral-embed' },
    types: {
      names: {
        request: '@mistralai/mistralai/models/components#ChatCompletionRequest',
        chat: '@mistralai/mistralai/models/components#ChatCompletionResponse',
        stream: '@mistralai/mistralai/models/components#CompletionChunk',
        embedding: '@mistralai/mistralai/models/components#EmbeddingResponse',
      },
      leftOut: { service_tier: 'Mistral knows `auto` and `standard_only`, not the tiers of OpenAI’s clients; they have no price here.' },
      isSnakeCase: true,
    },
  },
  {
    package: 'cohere-ai',
    version: '8.1.0',
    registry: 'npm',
    program: 'cohere.mjs',
    folder: 'cohere',
    type: ChannelType.Cohere,
    client: 'openai-chat',
    models: {
      chat: 'command-a-03-2025',
      thinking: 'command-a-reasoning-08-2025',
      picture: 'command-a-vision-07-2025',
      embedding: 'embed-v4.0',
      rerank: 'rerank-v3.5',
    },
    otherApi: { conversations: CHATS, why: 'the gateway calls the compatibility API for chat' },
    types: { names: { embedding: 'cohere-ai#Cohere.EmbedByTypeResponse', rerank: 'cohere-ai#Cohere.V2RerankResponse' }, isSnakeCase: true },
  },
  {
    package: '@anthropic-ai/bedrock-sdk',
    version: '1.1.3',
    registry: 'npm',
    program: 'bedrock-anthropic.mjs',
    folder: 'bedrock',
    type: ChannelType.Bedrock,
    base_url: '',
    client: 'anthropic-messages',
    models: { chat: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0' },
    key: 'AKIDEXAMPLE|secret|us-east-1',
    types: {
      names: { chat: '@anthropic-ai/sdk/resources/messages#Message', stream: '@anthropic-ai/sdk/resources/messages#RawMessageStreamEvent' },
    },
  },
  {
    package: '@aws-sdk/client-bedrock-runtime',
    version: '3.1164.0',
    registry: 'npm',
    program: 'bedrock-converse.mjs',
    folder: 'bedrock',
    type: ChannelType.Bedrock,
    base_url: '',
    client: 'openai-chat',
    models: { chat: 'us.amazon.nova-pro-v1:0', thinking: 'openai.gpt-oss-120b-1:0', schema: 'qwen.qwen3-32b-v1:0' },
    key: 'AKIDEXAMPLE|secret|us-east-1',
    types: {
      names: { chat: '@aws-sdk/client-bedrock-runtime#ConverseResponse', stream: '@aws-sdk/client-bedrock-runtime#ConverseStreamOutput' },
    },
  },
  {
    package: '@anthropic-ai/vertex-sdk',
    version: '1.1.3',
    registry: 'npm',
    program: 'vertex-anthropic.mjs',
    folder: 'vertex',
    type: ChannelType.VertexAI,
    base_url: '',
    client: 'anthropic-messages',
    models: { chat: 'claude-sonnet-4-5@20250929' },
    other: 'us-central1',
  },
  {
    package: '@google/genai',
    version: '3.3.0',
    registry: 'npm',
    program: 'genai.mjs',
    folder: 'vertex',
    type: ChannelType.VertexAI,
    base_url: '',
    client: 'gemini',
    models: { chat: 'gemini-2.5-pro', embedding: 'text-embedding-005' },
    other: 'us-central1',
    types: { names: { chat: '@google/genai#GenerateContentResponse', stream: '@google/genai#GenerateContentResponse' } },
  },
  {
    package: 'openai',
    version: '7.57.0',
    registry: 'npm',
    program: 'azure.mjs',
    folder: 'azure',
    type: ChannelType.AzureOpenAI,
    client: 'openai-chat',
    models: { chat: 'gpt-4.1', thinking: 'gpt-5', embedding: 'text-embedding-3-small' },
    base_url: 'https://own.example',
    other: '2025-04-01-preview',
    types: {
      names: {
        request: 'openai/resources/chat/completions#ChatCompletionCreateParamsNonStreaming',
        chat: 'openai/resources/chat/completions#ChatCompletion',
        stream: 'openai/resources/chat/completions#ChatCompletionChunk',
        embedding: 'openai/resources/embeddings#CreateEmbeddingResponse',
      },
    },
  },
  {
    package: 'ollama',
    version: '0.6.4',
    registry: 'npm',
    program: 'ollama.mjs',
    folder: 'ollama',
    type: ChannelType.Ollama,
    client: 'openai-chat',
    models: { chat: 'qwen3' },
    otherApi: { conversations: [...CHATS, 'embedding'], why: 'the gateway calls the API that is compatible with OpenAI' },
  },
  {
    package: 'replicate',
    version: '1.4.0',
    registry: 'npm',
    program: 'replicate.mjs',
    folder: 'replicate',
    type: ChannelType.Replicate,
    client: 'openai-chat',
    models: { chat: 'meta/meta-llama-3-70b-instruct' },
    types: { names: { chat: 'replicate#Prediction' } },
  },
  {
    package: '@perplexity-ai/perplexity_ai',
    version: '0.38.5',
    registry: 'npm',
    program: 'perplexity.mjs',
    folder: 'perplexity',
    type: ChannelType.Perplexity,
    client: 'openai-chat',
    models: { chat: 'sonar', thinking: 'sonar-reasoning-pro' },
    types: {
      names: {
        request: '@perplexity-ai/perplexity_ai/resources/chat/completions#CompletionCreateParamsNonStreaming',
        chat: '@perplexity-ai/perplexity_ai/resources/shared#StreamChunk',
        stream: '@perplexity-ai/perplexity_ai/resources/shared#StreamChunk',
      },
    },
  },
  {
    package: 'groq-sdk',
    version: '1.6.0',
    registry: 'npm',
    program: 'groq.mjs',
    folder: 'custom',
    type: ChannelType.OpenAI,
    client: 'openai-chat',
    models: { chat: 'llama-3.3-70b-versatile', thinking: 'openai/gpt-oss-120b' },
    base_url: 'https://api.groq.com/openai',
    types: {
      names: {
        chat: 'groq-sdk/resources/chat/completions#ChatCompletion',
        stream: 'groq-sdk/resources/chat/completions#ChatCompletionChunk',
      },
    },
  },
  {
    package: 'together-ai',
    version: '0.52.0',
    registry: 'npm',
    program: 'together.mjs',
    folder: 'custom',
    type: ChannelType.OpenAI,
    client: 'openai-chat',
    models: {
      chat: 'meta-llama/Llama-3.3-70B-Instruct-Turbo',
      thinking: 'openai/gpt-oss-120b',
      embedding: 'BAAI/bge-base-en-v1.5',
      rerank: 'mixedbread-ai/mxbai-rerank-large-v2',
    },
    base_url: 'https://api.together.ai',
    types: {
      names: {
        chat: 'together-ai/resources/chat/completions#ChatCompletion',
        stream: 'together-ai/resources/chat/completions#ChatCompletionChunk',
        embedding: 'together-ai/resources/embeddings#Embedding',
        rerank: 'together-ai/resources/rerank#RerankCreateResponse',
      },
    },
  },
  {
    package: '@huggingface/inference',
    version: '4.13.30',
    registry: 'npm',
    program: 'hugging-face.mjs',
    folder: 'custom',
    type: ChannelType.OpenAI,
    key: 'hf_the-key',
    client: 'openai-chat',
    models: { chat: 'meta-llama/Llama-3.3-70B-Instruct', thinking: 'openai/gpt-oss-120b' },
    base_url: 'https://router.huggingface.co',
    types: { names: { chat: '@huggingface/tasks#ChatCompletionOutput', stream: '@huggingface/tasks#ChatCompletionStreamOutput' } },
  },
  {
    package: 'dashscope',
    version: '2.0.2',
    registry: 'pypi',
    program: 'dashscope_client.py',
    folder: 'ali',
    type: ChannelType.Ali,
    client: 'openai-chat',
    models: { chat: 'qwen-plus', picture: 'qwen-vl-max', embedding: 'text-embedding-v4', rerank: 'gte-rerank-v2' },
    otherApi: { conversations: ['embedding', 'rerank'], why: 'the gateway calls the APIs that are compatible with OpenAI' },
  },
  {
    package: 'zai-sdk',
    version: '0.2.3',
    registry: 'pypi',
    program: 'zai_sdk.py',
    folder: 'zhipu',
    type: ChannelType.ZhipuV4,
    client: 'openai-chat',
    models: { chat: 'glm-4.6', thinking: 'glm-5.2', picture: 'glm-4.5v', embedding: 'embedding-3' },
    types: {
      names: {
        chat: 'zai.types.chat.chat_completion#Completion',
        stream: 'zai.types.chat.chat_completion_chunk#ChatCompletionChunk',
        embedding: 'zai.types.embeddings#EmbeddingsResponded',
      },
    },
  },
  {
    package: 'volcengine-ark-runtime',
    version: '5.0.54',
    registry: 'pypi',
    program: 'volcengine_ark.py',
    folder: 'volcengine',
    type: ChannelType.VolcEngine,
    client: 'openai-chat',
    models: { chat: 'doubao-seed-1-6-251015', embedding: 'doubao-embedding-large-text-250515' },
    types: {
      names: {
        chat: 'volcenginesdkarkruntime.types.chat#ChatCompletion',
        stream: 'volcenginesdkarkruntime.types.chat#ChatCompletionChunk',
        embedding: 'volcenginesdkarkruntime.types#CreateEmbeddingResponse',
      },
    },
  },
  {
    package: 'qianfan',
    version: '0.4.12.3',
    registry: 'pypi',
    program: 'qianfan_client.py',
    folder: 'baidu-v2',
    type: ChannelType.BaiduV2,
    client: 'openai-chat',
    models: { chat: 'ernie-4.5-turbo-128k' },
  },
  {
    package: 'tencentcloud-sdk-python-hunyuan',
    version: '3.1.180',
    registry: 'pypi',
    program: 'hunyuan.py',
    folder: 'tencent',
    type: ChannelType.Tencent,
    client: 'openai-chat',
    models: { chat: 'hunyuan-turbos-latest', thinking: 'hunyuan-a13b', picture: 'hunyuan-vision' },
    key: '1300000000|AKIDEXAMPLE|secret',
  },
  {
    package: 'xai-sdk',
    version: '1.21.0',
    registry: 'pypi',
    program: 'xai.py',
    folder: 'xai',
    type: ChannelType.XAI,
    client: 'openai-chat',
    models: { chat: 'grok-4' },
    otherApi: { conversations: CHATS.filter((name) => name !== 'schema'), why: 'the SDK speaks gRPC only; the gateway calls the REST API' },
  },
]
