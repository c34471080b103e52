import type { Texts } from '../resources.ts'
import type { texts as zh } from '../zh/common.ts'

export const texts = {
  close: 'Close',
  'go-home': 'Go to the home page',
  loading: 'Loading…',
  retry: 'Try again',
  'submit-twice': 'Already submitting, please do not submit twice!',
} as const satisfies Texts<typeof zh>
