import { sealedBy } from '@tollgate/config/sealing'
import { AppError } from '@tollgate/contracts/app-error'
import { mayCopyClientHeader } from '@tollgate/contracts/channels/credential-names'
import { Role } from '@tollgate/contracts/enums'
import {
  copiedHeaders,
  joinSecrets,
  restoreSecrets,
  splitSecrets,
  type Setting,
  type SettingSecrets,
} from '@tollgate/domain/channel-choice/setting-secrets'
import { syncedHeaders } from '@tollgate/domain/param-override/copied-headers'
import type { Deps } from '../../deps.ts'
import { parseObject } from './fields.ts'

type Sealing = Pick<Deps, 'sealers'>
/** The two columns of a setting: the part that may be shown, and the sealed secrets; empty without secrets. */
export type SettingColumns = { readonly setting: string; readonly setting_sealed: string }
type Row = SettingColumns & { readonly id: number }

/** A channel's setting with its secrets. */
export function openSetting(deps: Sealing, row: Row): Setting {
  return joinSecrets(parseObject(row.setting) ?? {}, openSecrets(deps, row))
}

export function openSecrets({ sealers }: Sealing, { id, setting_sealed }: Row): SettingSecrets {
  if (setting_sealed === '') return {}
  // Only this module seals the column.
  return JSON.parse(sealers.channels.unseal(setting_sealed, sealedBy.channelSetting(id))) as SettingSecrets
}

/** The columns of a setting; the text of one without secrets keeps its formatting. */
export function toSettingColumns({ sealers }: Sealing, id: number, { text, setting }: SentSetting): SettingColumns {
  const { shown, secrets } = splitSecrets(setting)
  if (Object.keys(secrets).length === 0) return { setting: text, setting_sealed: '' }
  return {
    setting: JSON.stringify(shown, null, 2),
    setting_sealed: sealers.channels.seal(JSON.stringify(secrets), sealedBy.channelSetting(id)),
  }
}

/** A setting as it was sent, and with the masked secrets put back. */
export type SentSetting = { readonly text: string; readonly setting: Setting }

/** Reads a sent setting. Its masks stand for the stored secrets; other masks are refused, because the secret would be lost. */
export function readSetting(text: string, stored: SettingSecrets): SentSetting {
  const restored = restoreSecrets(parseObject(text) ?? {}, stored)
  if (restored.kind === 'unknown-mask') throw new AppError('channels.masked', { field: restored.field })
  return { text, setting: restored.setting }
}

/**
 * Refuses overrides that copy a client header to the vendor: credentials for everyone, other headers unless root sets them. An
 * administrator may keep one that is already there.
 */
export function checkCopiedHeaders(actor: { readonly role: number }, { before, after }: { before: Overrides; after: Overrides }): void {
  const known = copiesOf(before)
  for (const [field, header] of copiesOf(after)) {
    if (!mayCopyClientHeader(header)) throw new AppError('channels.client-credential', { header })
    if (actor.role < Role.root && known.get(field) !== header) throw new AppError('channels.client-header', { header })
  }
}

/** The parts of a channel that can copy headers. `param_override`: JSON text. */
export type Overrides = { readonly setting: Setting; readonly param_override: string }

const copiesOf = ({ setting, param_override }: Overrides): Map<string, string> =>
  new Map([...copiedHeaders(setting), ...syncedHeaders(parseObject(param_override) ?? {})])

/** True if a stored secret that is sent to the vendor stays in the setting. The proxy's own is sent to the proxy only. */
export function keepsSecrets(before: Setting, after: Setting): boolean {
  const { secrets } = splitSecrets(after)
  return Object.entries(splitSecrets(before).secrets).some(([field, secret]) => field !== PROXY && secrets[field] === secret)
}

const PROXY = JSON.stringify(['proxy'])
