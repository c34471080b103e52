/** Preset list of the console and of `/api/models`. */
export const models = ['bge-reranker-v2-m3', 'jina-reranker-v2'] as const satisfies readonly string[]
