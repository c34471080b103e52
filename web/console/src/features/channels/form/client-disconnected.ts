import {
  CLIENT_DISCONNECT_POLICIES,
  DRAIN_SECONDS,
  readClientDisconnect,
  type ClientDisconnectPolicy,
} from '@tollgate/contracts/relay/client-disconnected'
import { objectOf, textOf } from './setting-text.ts'

/** The channel's settings as two fields of the form show them; the JSON text stays the only place where they are kept. */
export type ClientDisconnectFields = { readonly policy: ClientDisconnectPolicy; readonly drain_seconds: string }

export function clientDisconnectOf(setting: string): ClientDisconnectFields {
  const stored = objectOf(setting)
  const seconds = stored['drain_seconds']
  return { policy: readClientDisconnect(stored).policy, drain_seconds: typeof seconds === 'number' ? String(seconds) : '' }
}

/** The settings with another policy. The default needs no key, and the time means nothing with `cancel`. */
export function withPolicy(setting: string, name: string): string {
  const policy = CLIENT_DISCONNECT_POLICIES.find((known) => known === name) ?? 'auto'
  const { client_disconnect: _, drain_seconds, ...rest } = objectOf(setting)
  const kept = drain_seconds === undefined || policy === 'cancel' ? {} : { drain_seconds }
  return textOf({ ...rest, ...(policy === 'auto' ? {} : { client_disconnect: policy }), ...kept })
}

/** The settings with another time, in seconds; empty means the default. */
export function withDrainSeconds(setting: string, text: string): string {
  const { drain_seconds: _, ...rest } = objectOf(setting)
  const digits = text.replaceAll(/\D/g, '').slice(0, 6)
  return textOf(digits === '' ? rest : { ...rest, drain_seconds: Number(digits) })
}

/** True if a time stands there that the relay would not take. */
export function hasWrongDrainSeconds(setting: string): boolean {
  const seconds = objectOf(setting)['drain_seconds']
  if (seconds === undefined) return false
  return typeof seconds !== 'number' || seconds < DRAIN_SECONDS.min || seconds > DRAIN_SECONDS.max
}
