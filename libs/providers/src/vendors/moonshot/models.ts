/** Preset list of the console and of `/api/models`. */
export const models = ['moonshot-v1-8k', 'moonshot-v1-32k', 'moonshot-v1-128k'] as const satisfies readonly string[]
