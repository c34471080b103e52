import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Conversation, VendorSdk } from './sdks.ts'

/** A request of an SDK as it is kept: without what differs per run or names the client itself. */
export type RecordedRequest = {
  readonly method: string
  /** Where the SDK wanted to send it, with path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON where it is, else text; absent: empty. */
  readonly body?: unknown
}

export type Recording = {
  /** The day of the last change. */
  readonly recorded: string
  readonly sdk: string
  readonly version: string
  readonly conversations: Readonly<Partial<Record<Conversation, readonly RecordedRequest[]>>>
}

/** A difference between the SDK's request and ours, and its reason; it holds in every conversation in which it appears. */
export type Explained = {
  /** A header or the path of a field. */
  readonly at: string
  /** Absent: the SDK sends nothing there. */
  readonly sdk?: unknown
  /** Absent: the gateway sends nothing there. */
  readonly ours?: unknown
  readonly why: string
}

const VENDORS = join(import.meta.dirname, '../../../providers/src/vendors')

const fileOf = ({ package: name, folder }: VendorSdk, kind: string): string =>
  join(VENDORS, folder, '__sdk__', `${name.replace(/^@/, '').replaceAll('/', '-')}.${kind}.json`)

export const recordingFile = (sdk: VendorSdk): string => fileOf(sdk, 'recording')
/** The types of the answers that it reads. */
export const typesFile = (sdk: VendorSdk): string => fileOf(sdk, 'types')
const differencesFile = (sdk: VendorSdk): string => fileOf(sdk, 'differences')

export const readRecording = (sdk: VendorSdk): Recording => JSON.parse(readFileSync(recordingFile(sdk), 'utf8')) as Recording // written by check:vendor-sdks

export function readExplained(sdk: VendorSdk): readonly Explained[] {
  const path = differencesFile(sdk)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as readonly Explained[]) : [] // a file of this form, by hand
}
