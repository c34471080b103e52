/** Validity of codes and links, from the moment the mail is sent. */
export const CODE_MINUTES = 10

/** Text that the hash of a mailed code covers: a code is valid for one purpose and address only. */
export function codeSubject(purpose: 'verification' | 'reset' | 'notification', address: string, code: string): string {
  return `mail-code|${purpose}|${address}|${code.trim().toLowerCase()}`
}
