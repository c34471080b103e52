/** Preset list of the console and of `/api/models`. */
export const models = [
  'grok-3-beta',
  'grok-3-mini-beta',
  'grok-3-fast-beta',
  'grok-3-mini-fast-beta',
  'grok-3-mini-beta-high',
  'grok-3-mini-beta-low',
  'grok-3-mini-beta-medium',
  'grok-3-mini-fast-beta-high',
  'grok-3-mini-fast-beta-low',
  'grok-3-mini-fast-beta-medium',
  'grok-2-image',
  'grok-2',
  'grok-2-vision',
  'grok-beta',
  'grok-vision-beta',
] as const satisfies readonly string[]
