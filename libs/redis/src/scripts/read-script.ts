import { readFileSync } from 'node:fs'

/** Text of a script of this package. These scripts may be sent with EVAL. */
export function readScript(name: string): string {
  return readFileSync(new URL(`./${name}.lua`, import.meta.url), 'utf8')
}
