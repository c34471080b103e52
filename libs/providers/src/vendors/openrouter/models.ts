/** Preset list of the console and of `/api/models`. */
export const models: readonly string[] = []
