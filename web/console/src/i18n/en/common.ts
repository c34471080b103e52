import type { Texts } from '../resources.ts'
import type { texts as zh } from '../zh/common.ts'

export const texts = {
  actions: 'Actions',
  add: 'Add',
  back: 'Back',
  cancel: 'Cancel',
  clear: 'Clear',
  close: 'Close',
  confirm: 'OK',
  copied: 'Copied to the clipboard!',
  copy: 'Copy',
  'copy-failed': 'Could not copy to the clipboard, please copy by hand',
  'go-home': 'Go to the home page',
  loading: 'Loading',
  'more-actions': 'More actions',
  retry: 'Try again',
  save: 'Save',
  'submit-twice': 'Already submitting, please do not submit twice!',
} as const satisfies Texts<typeof zh>
