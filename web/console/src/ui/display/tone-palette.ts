import type { Tone } from '@tollgate/domain/display/tone'

/** The theme's hue for each tone of `domain/display`. */
export const PALETTE_OF_TONE = {
  grey: 'neutral',
  green: 'success',
  lime: 'lime',
  yellow: 'warning',
  orange: 'orange',
  red: 'danger',
  blue: 'accent',
} as const satisfies Record<Tone, string>
