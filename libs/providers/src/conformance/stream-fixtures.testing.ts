import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChatFormat } from '../chat/request.ts'

/** Every recorded stream of a format by name; those of the conformance cases begin with `answers/`. */
export function streamFixtures(format: ChatFormat): [string, Buffer][] {
  const folders = [
    ['answers/', join(import.meta.dirname, '__fixtures__', 'answers', format)],
    ['', join(import.meta.dirname, '..', 'chat', 'formats', format, '__fixtures__')],
  ] as const
  return folders.flatMap(([prefix, folder]) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.sse'))
      .map((file): [string, Buffer] => [`${prefix}${file}`, readFileSync(join(folder, file))]),
  )
}
