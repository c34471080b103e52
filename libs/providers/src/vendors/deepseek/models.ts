/** Preset list of the console and of `/api/models`. */
export const models = ['deepseek-chat', 'deepseek-reasoner'] as const satisfies readonly string[]
