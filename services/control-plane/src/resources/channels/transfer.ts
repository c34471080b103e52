import { sealWithPassphrase, unsealWithPassphrase } from '@tollgate/config/passphrase'
import { sealedBy } from '@tollgate/config/sealing'
import { AppError, textOf } from '@tollgate/contracts/app-error'
import { parseChannelInfo } from '@tollgate/contracts/channels/channel-info'
import { parseKeyStates, toKeyStateColumns, type KeyState } from '@tollgate/contracts/channels/channel-keys'
import { ChannelStatus } from '@tollgate/contracts/enums'
import { ChannelFile, type FileChannel, type ImportedChannel } from '@tollgate/contracts/resources/channel-files'
import { listTransferred, type TransferredRow } from '@tollgate/db/queries/channels/channels'
import type { Language } from '@tollgate/http/language'
import { z } from 'zod'
import { recordAudit, type By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import type { Publication } from '../../internal/snapshot-publisher.ts'
import { changeChannels, type ChannelEdit } from './change.ts'
import { toKeys, toNewFields } from './fields.ts'
import { checkCopiedHeaders, openSetting, readSetting } from './setting.ts'
import { addChannels, type AddedChannels } from './write.ts'

type Chosen = { readonly ids?: readonly number[] | null | undefined; readonly passphrase?: string }
const Secrets = z.array(
  z.object({
    key: z.string(),
    setting: z.string().optional(),
    /** The states of its keys by key id, as `key_states`. */
    states: z.string().optional(),
  }),
)

/** Channels as a file. With a passphrase it has their keys and the secrets of their settings, sealed; the passphrase is not stored. */
export async function exportChannels(deps: Deps, by: By, { ids, passphrase }: Chosen): Promise<ChannelFile> {
  const rows = await listTransferred(deps.db, ids ?? undefined)
  const changes = [{ field: 'channels', after: String(rows.length) }, ...(passphrase === undefined ? [] : [{ field: 'key' }])]
  await deps.db
    .transaction()
    .execute((tx) => recordAudit(deps, tx, by, [{ action: 'export', resource: 'channel', resource_id: '', changes }]))
  const file = { format: 'tollgate-channels', version: 1, exported_at: nowSeconds(deps), channels: rows.map(toFileChannel) } as const
  if (passphrase === undefined) return file
  const secrets = rows.map((row) => ({
    key: deps.sealers.channels.unseal(row.key_sealed, sealedBy.channelKey(row.id)),
    ...(row.setting_sealed === '' ? {} : { setting: JSON.stringify(openSetting(deps, row), null, 2) }),
    ...statesOf(row),
  }))
  return { ...file, secrets: await sealWithPassphrase(JSON.stringify(secrets), passphrase) }
}

function toFileChannel(row: TransferredRow): FileChannel {
  const { id: _id, key_sealed: _key, setting_sealed: _sealed, key_states: _states, other_info: _info, ...fields } = row
  return fields
}

/** A key that was disabled automatically is disabled in the file: the evidence stays where it was seen. */
function statesOf({ key_states, other_info }: TransferredRow): { readonly states?: string } {
  const refused = Object.entries(parseChannelInfo(other_info).keys ?? {})
  const disabled = refused.map(([id, { status_reason, status_time }]): [string, KeyState] => [
    id,
    { disabled_at: Math.floor(status_time), reason: status_reason },
  ])
  const { key_states: states } = toKeyStateColumns({ ...Object.fromEntries(disabled), ...parseKeyStates(key_states) })
  return states === '' ? {} : { states }
}

type Import = { readonly file: string; readonly passphrase: string; readonly language: Language }
type Read = { readonly row: ImportedChannel; readonly added?: Omit<AddedChannels, 'action'> }

/** Channels that an import would create. Changes nothing. */
export async function previewChannels(deps: Deps, by: By, input: Import): Promise<ImportedChannel[]> {
  return (await readEntries(deps, by, input)).map(({ row }) => row)
}

/** Creates the channels that the preview calls new, in one transaction. */
export async function importChannels(deps: Deps, by: By, input: Import): Promise<{ rows: ImportedChannel[]; publication: Publication }> {
  const entries = await readEntries(deps, by, input)
  const { publication } = await changeChannels(deps, by, async (tx) => {
    const edits: ChannelEdit[] = []
    for (const { added } of entries) if (added !== undefined) edits.push(...(await addChannels(deps, tx, { ...added, action: 'create' })))
    return edits
  })
  return { rows: entries.map(({ row }) => row), publication }
}

async function readEntries(deps: Deps, by: By, { file, passphrase, language }: Import): Promise<Read[]> {
  const parsed = ChannelFile.safeParse(parseJson(file))
  if (!parsed.success) throw new AppError('channels.file', { detail: parsed.error.issues[0]?.path.map(String).join('.') || 'JSON' })
  const { channels, secrets } = parsed.data
  const opened = secrets === undefined || passphrase === '' ? [] : await openSecrets(secrets, passphrase)
  const known = new Set((await listTransferred(deps.db)).map(identityOf))
  return channels.map((entry, at): Read => {
    const { name } = entry
    if (known.has(identityOf(entry))) return { row: { name, result: 'known', message: '' } }
    try {
      const { key = entry.key ?? '', setting = entry.setting, states = '' } = opened[at] ?? {}
      known.add(identityOf(entry))
      return {
        row: { name, result: 'new', message: '' },
        added: { ...toAdded(by, { ...entry, key, setting }), states: toKeyStateColumns(parseKeyStates(states)) },
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { row: { name, result: 'refused', message: textOf(error.code, language, error.params) } }
    }
  })
}

function toAdded({ actor }: By, entry: FileChannel & { readonly key: string }): Omit<AddedChannels, 'action'> {
  const status = entry.status === ChannelStatus.enabled ? ChannelStatus.enabled : ChannelStatus.disabled
  const fields = { ...toNewFields(entry), status }
  const sent = readSetting(fields.setting, {})
  const { param_override } = fields
  checkCopiedHeaders(actor, { before: { setting: {}, param_override: '' }, after: { setting: sent.setting, param_override } })
  return { fields, sent, keys: toKeys(fields, entry.key) }
}

async function openSecrets(sealed: string, passphrase: string): Promise<z.infer<typeof Secrets>> {
  const opened = await unsealWithPassphrase(sealed, passphrase)
  if (opened === undefined) throw new AppError('option.passphrase')
  return Secrets.parse(JSON.parse(opened))
}

const identityOf = ({ name, type, base_url }: Pick<FileChannel, 'name' | 'type' | 'base_url'>): string =>
  JSON.stringify([name.trim(), type, base_url.trim().replace(/\/+$/, '')])

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Reported by the schema as a file of another kind.
    return undefined
  }
}
