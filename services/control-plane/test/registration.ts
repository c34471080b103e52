import { saveMailCode, type CodePurpose } from '@tollgate/db/queries/users/mail-codes'
import { codeSubject } from '@tollgate/mail/mail-codes'
import type { Answer, TestApp } from './test-app.ts'

/** Stores a code as the worker does when it sends its mail. */
export async function mailCode(
  { deps }: TestApp,
  { purpose, address, code, expires_at }: { purpose: CodePurpose; address: string; code: string; expires_at?: number },
): Promise<void> {
  const code_hash = deps.sealers.options.fingerprint(codeSubject(purpose, address, code))
  await saveMailCode(deps.db, { purpose, address, code_hash, expires_at: expires_at ?? Math.floor(deps.now() / 1000) + 600 })
}

/** Makes a public call from an address of its own, so that the limits per address do not mix. */
export async function callFrom(
  { app }: TestApp,
  ip: string,
  call: { method: string; path: string; body?: unknown; language?: string },
): Promise<Answer> {
  const { method, path, body, language } = call
  const headers = {
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(language === undefined ? {} : { 'Accept-Language': language }),
  }
  const incoming = { socket: { remoteAddress: ip }, headers: {}, url: path }
  const answer = await app.request(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }, { incoming })
  return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) as Answer['body'] }
}

let last = 0
/** A client address that no other call of this process has. */
export function anAddress(): string {
  last += 1
  return `198.18.${Math.floor(last / 250)}.${(last % 250) + 1}`
}

export async function setOptions({ deps }: TestApp, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [key, value] of Object.entries(values)) {
    await deps.db
      .insertInto('options')
      .values({ key, value, updated_at: 1 })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute()
  }
}
