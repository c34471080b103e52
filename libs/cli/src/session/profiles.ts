import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CliError, EXIT } from '../failure.ts'

export type Profile = {
  readonly address: string
  readonly user_id: number
  readonly access_token: string
  /** Role of the account at sign-in: 10 and more administers. */
  readonly role: number
}
type Profiles = Readonly<Record<string, Profile>>

const fileIn = (folder: string): string => join(folder, 'profiles.json')

export function readProfiles(folder: string): Profiles {
  let text: string
  try {
    text = readFileSync(fileIn(folder), 'utf8')
  } catch {
    // No sign-in yet.
    return {}
  }
  try {
    return JSON.parse(text) as Profiles // written by `saveProfile`
  } catch {
    throw new CliError(`${fileIn(folder)} is not JSON. Remove it and sign in again`, EXIT.usage)
  }
}

/** The file holds access tokens: only its owner may read it, from its first byte on. */
export function saveProfile(folder: string, name: string, profile: Profile): string {
  const profiles = { ...readProfiles(folder), [name]: profile }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = fileIn(folder)
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, file)
  return file
}
