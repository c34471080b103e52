import type { ChatFormat } from '@tollgate/providers/chat/request'
import { ChannelType } from '@tollgate/providers/vendors/channel-types'

/** The conversations that every SDK is asked for, where its vendor has them. */
export const CONVERSATIONS = ['plain', 'stream', 'tools', 'tool result', 'thinking', 'picture', 'schema', 'embedding', 'rerank'] as const
export type Conversation = (typeof CONVERSATIONS)[number]

/** Types of answers in the declarations of a package. */
export type SdkTypes = {
  /** The file of declarations, below the package. */
  readonly file: string
  /** The type's name, by what it is the answer of. */
  readonly names: Readonly<Partial<Record<'chat' | 'stream' | 'embedding' | 'rerank', string>>>
  /** The SDK renames fields in camel case to the snake case of the wire. */
  readonly isCamelCase?: true
}

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
  },
]
