/**
 * Capabilities for which a channel can be tested. `auto`: by the kind of model that its name says; the vendor's list of models where a call
 * would cost or needs a file. Without zod, for the console.
 */
export const TEST_CAPABILITIES = ['auto', 'chat', 'stream', 'tools', 'embeddings', 'image'] as const
export type TestCapability = (typeof TEST_CAPABILITIES)[number]
