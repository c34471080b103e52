/** Preset list of the console and of `/api/models`. */
export const models = ['llama3-7b'] as const satisfies readonly string[]
