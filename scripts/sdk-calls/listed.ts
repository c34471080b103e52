import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sdk, SdkCall } from './read-calls.ts'

export type Listed = { readonly versions: Readonly<Record<Sdk, string>>; readonly calls: readonly SdkCall[] }

export const LISTED_FILE = join(import.meta.dirname, 'calls.gen.json')
/** The calls that the table lists, written by `npm run check:sdks -- --newest --write`. */
export const listed = JSON.parse(readFileSync(LISTED_FILE, 'utf8')) as Listed // written by the program above
