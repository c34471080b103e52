/** Lengths of time that forms offer, in seconds. */
export const EXPIRY_SHORTCUTS = { hour: 3_600, day: 86_400, month: 2_592_000 } as const
export const nowInSeconds = (): number => Math.floor(Date.now() / 1_000)
