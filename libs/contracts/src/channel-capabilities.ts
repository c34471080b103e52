/** What a channel can be tested for. `auto`: chat, or embeddings when the model's name says so. Without zod, for the console. */
export const TEST_CAPABILITIES = ['auto', 'chat', 'stream', 'tools', 'embeddings', 'image'] as const
export type TestCapability = (typeof TEST_CAPABILITIES)[number]
