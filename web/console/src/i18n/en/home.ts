import type { Texts } from '../resources.ts'
import type { texts as zh } from '../zh/home.ts'

export const texts = {
  tagline: 'One address and one key for every model',
} as const satisfies Texts<typeof zh>
