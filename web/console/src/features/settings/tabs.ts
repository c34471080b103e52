export const TABS = ['operation', 'ratelimit', 'models', 'system', 'other'] as const
export type Tab = (typeof TABS)[number]
