import type { Texts } from '../resources.ts'
import type { texts as zh } from '../zh/receipts.ts'

export const texts = {
  title: 'Check a receipt',
  lead: 'Shows that this site signed a receipt and that it was not changed. It is checked in your browser; nothing is sent.',
  input: 'Receipt',
  'input-help': 'Paste a receipt, or drop a .jws file.',
  file: 'File with a receipt',
  choose: 'Choose a file',
  insecure: 'Browsers check signatures on https pages only. Open this page by https, or use the script of the documentation.',
  valid: 'Valid',
  invalid: 'Not valid',
  content: 'Content',
  all: 'Everything in it',
  fault: {
    format: 'This is no receipt: a receipt is three parts of text with dots between them.',
    'unknown-key': 'It was signed with a key that this site does not publish.',
    changed: 'The signature does not fit: the content was changed, or copied in part.',
    unreadable: 'The signature is right, but the content is of a version that this page does not know.',
  },
  kind: { charge: 'Charge', correction: 'Correction', refund: 'Refund' },
  fact: {
    kind: 'Kind',
    charge: 'Amount (quota)',
    model: 'Model',
    user: 'User',
    token: 'Token',
    group: 'Group',
    time: 'Booked',
    request: 'Request ID',
    corrects: 'Corrects receipt',
    issuer: 'Signed by',
    key: 'Key',
  },
} as const satisfies Texts<typeof zh>
