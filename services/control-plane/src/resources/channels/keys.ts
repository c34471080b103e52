import { keyIdOf, sealedBy } from '@tollgate/config/sealing'
import { AppError } from '@tollgate/contracts/app-error'
import { encodeChannelInfo, parseChannelInfo, withoutDisableReason } from '@tollgate/contracts/channels/channel-info'
import {
  parseKeyStates,
  toKeyStateColumns,
  type ChannelKey,
  type KeyState,
  type KeyStates,
} from '@tollgate/contracts/channels/channel-keys'
import { ChannelStatus } from '@tollgate/contracts/enums'
import type { AddedKeys, KeysChange, NewKeys, KeyRotation } from '@tollgate/contracts/resources/channel-keys'
import type { Tx } from '@tollgate/db/connect'
import { listKeyBalances, type KeyBalanceRow } from '@tollgate/db/queries/channels/channel-balances'
import {
  listRoutedChannels,
  lockChannels,
  updateChannels,
  type ChannelPatch,
  type RoutedChannelRow,
} from '@tollgate/db/queries/channels/channels'
import { keyTailOf } from '@tollgate/domain/channel-choice/key-tail'
import { keysIn, MULTI_KEY_MODES, multiKeyModeOf, splitKeys } from '@tollgate/domain/channel-choice/split-keys'
import type { By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import type { Publication } from '../../internal/snapshot-publisher.ts'
import { changeChannels } from './change.ts'
import { KEYS_MAX, checkKeyText } from './fields.ts'
import { openSetting, toSettingColumns } from './setting.ts'
import { toStoredKey } from './stored-key.ts'
import { toKeyView } from './key-view.ts'

/** The keys of a channel with their states; never the keys themselves. */
export async function listKeys(deps: Deps, id: number): Promise<ChannelKey[]> {
  const [row] = await listRoutedChannels(deps.db, [id])
  if (row === undefined) throw new AppError('record.missing')
  const { keys, states } = openKeys(deps, row)
  const view = { states, evidence: parseChannelInfo(row.other_info).keys ?? {}, now: nowSeconds(deps) }
  const tails = new Map(keys.map((key) => [keyIdOf(key), keyTailOf(key)]))
  const read = new Map((await listKeyBalances(deps.db, id)).map((balance) => [balance.key_id, balance]))
  return [...tails].map(([key_id, tail]) => ({ ...toKeyView({ key_id, tail }, { ...view, tails }), ...balanceOf(read.get(key_id)) }))
}

function balanceOf(read: KeyBalanceRow | undefined): Pick<ChannelKey, 'balance'> {
  return read === undefined ? {} : { balance: { amount: read.balance, at: read.at, detail: read.detail } }
}

/** Adds keys to those that a channel has; known ones are left as they are. A channel with one key becomes one with several. */
export async function addKeys(deps: Deps, by: By, id: number, body: NewKeys): Promise<{ added: AddedKeys; publication: Publication }> {
  const wanted = splitKeys(checkKeyText(body.keys))
  if (wanted.length === 0) throw new AppError('channels.key-blank')
  const counts = { added: 0, known: 0 }
  const publication = await changeKeys(deps, by, id, ({ keys, states }) => {
    const known = new Set(keys)
    const fresh = wanted.filter((key) => !known.has(key))
    counts.added = fresh.length
    counts.known = wanted.length - fresh.length
    const added = fresh.map((key): [string, KeyState] => [keyIdOf(key), newState(deps, body.expires_at)])
    return {
      keys: [...keys, ...fresh],
      states: { ...states, ...Object.fromEntries(added) },
      mode: body.multi_key_mode,
      audit: `+${fresh.length}`,
    }
  })
  return { added: counts, publication }
}

/** Adds a key, and takes the old one out of service after a time in which both are used; conversations bound to the old one stay with it. */
export function rotateKey(deps: Deps, by: By, id: number, { key_id, key, overlap_hours }: KeyRotation): Promise<Publication> {
  const [fresh = '', ...more] = splitKeys(checkKeyText(key))
  if (fresh === '') throw new AppError('channels.key-blank')
  if (more.length > 0) throw new AppError('channels.one-key')
  const now = nowSeconds(deps)
  return changeKeys(deps, by, id, ({ keys, states }) => {
    const old = keyWithId(keys, key_id)
    if (keys.includes(fresh)) throw new AppError('channels.key-known')
    const at = keys.indexOf(old)
    return {
      keys: [...keys.slice(0, at), fresh, ...keys.slice(at)],
      states: {
        ...states,
        [key_id]: { ...states[key_id], expires_at: now + overlap_hours * 3600, replaced_by: keyIdOf(fresh) },
        [keyIdOf(fresh)]: newState(deps, null),
      },
      audit: `${keyTailOf(old)} → ${keyTailOf(fresh)}`,
    }
  })
}

/** Enables, disables, dates or deletes some of a channel's keys. Enabling removes the evidence against them. */
export function updateKeys(deps: Deps, by: By, id: number, { key_ids, action, expires_at, reason }: KeysChange): Promise<Publication> {
  const chosen = new Set(key_ids)
  if (chosen.size === 0) throw new AppError('channels.params')
  const now = nowSeconds(deps)
  return changeKeys(deps, by, id, ({ keys, states, hasSeveral }) => {
    for (const key_id of chosen) keyWithId(keys, key_id)
    const left = keys.filter((key) => !chosen.has(keyIdOf(key)))
    const audit = `${action} ${keys.flatMap((key) => (chosen.has(keyIdOf(key)) ? keyTailOf(key) || keyIdOf(key) : [])).join(' ')}`
    if (action === 'delete') {
      if (left.length === 0) throw new AppError('channels.last-key')
      return { keys: left, states, audit }
    }
    if (action === 'disable' && !hasSeveral) throw new AppError('channels.last-key')
    const change = (state: KeyState = {}): KeyState => {
      if (action === 'expire') return { ...state, expires_at: expires_at ?? undefined, replaced_by: undefined }
      return action === 'disable'
        ? { ...state, disabled_at: now, reason: reason.trim() === '' ? undefined : reason.trim() }
        : { ...state, disabled_at: undefined, reason: undefined }
    }
    const changed = Object.fromEntries([...chosen].map((key_id) => [key_id, change(states[key_id])]))
    return { keys, states: { ...states, ...changed }, audit, ...(action === 'enable' ? { acquitted: chosen } : {}) }
  })
}

type Keys = { readonly keys: readonly string[]; readonly states: KeyStates; readonly hasSeveral: boolean }
type Change = {
  readonly keys: readonly string[]
  readonly states: KeyStates
  /** Text for the audit log. */
  readonly audit: string
  /** For a channel that gets its second key. */
  readonly mode?: string | null | undefined
  /** Keys whose evidence is removed. */
  readonly acquitted?: ReadonlySet<string>
}

async function changeKeys(deps: Deps, by: By, id: number, change: (keys: Keys) => Change): Promise<Publication> {
  const { publication } = await changeChannels(deps, by, async (tx: Tx) => {
    const [row] = await lockChannels(tx, [id])
    if (row === undefined) throw new AppError('record.missing')
    const changed = change(openKeys(deps, row))
    const patch = { ...keyColumns(deps, row, changed), ...statusColumns(row, changed) }
    await updateChannels(tx, { ids: [id], patch })
    return [{ id, action: 'update', changes: [{ field: 'keys', after: changed.audit }] }]
  })
  return publication
}

function openKeys({ sealers }: Deps, row: RoutedChannelRow): Keys {
  const text = sealers.channels.unseal(row.key_sealed, sealedBy.channelKey(row.id))
  const setting = openSetting({ sealers }, row)
  return { keys: keysIn(text, setting), states: parseKeyStates(row.key_states), hasSeveral: multiKeyModeOf(setting) !== undefined }
}

/** The columns of the keys and, when there are several for the first time, of the setting. */
function keyColumns(deps: Deps, row: RoutedChannelRow, { keys, states, mode }: Change): ChannelPatch {
  if (keys.length > KEYS_MAX) throw new AppError('channels.too-many', { field: 'keys', limit: KEYS_MAX })
  const ids = new Set(keys.map(keyIdOf))
  const text = keys.join('\n')
  const setting = openSetting(deps, row)
  const becomesSeveral = keys.length > 1 && multiKeyModeOf(setting) === undefined
  // Keys of several lines beside others: their text could not be divided again.
  if (keys.length > 1 && splitKeys(text).length !== keys.length) throw new AppError('channels.params')
  const several = { ...setting, multi_key_mode: MULTI_KEY_MODES.find((known) => known === mode) ?? MULTI_KEY_MODES[0] }
  return {
    ...toStoredKey(deps, row.id, text),
    ...toKeyStateColumns(Object.fromEntries(Object.entries(states).filter(([key_id]) => ids.has(key_id)))),
    ...(becomesSeveral ? toSettingColumns(deps, row.id, { text: JSON.stringify(several, null, 2), setting: several }) : {}),
  }
}

/** Evidence of keys that are gone or enabled again is removed, and a channel that was disabled with its last key is enabled. */
function statusColumns(row: RoutedChannelRow, { keys, acquitted }: Change): ChannelPatch {
  const info = parseChannelInfo(row.other_info)
  const left = new Set(keys.map(keyIdOf))
  const gone = Object.keys(info.keys ?? {}).filter((key_id) => !left.has(key_id) || acquitted?.has(key_id) === true)
  const known = gone.reduce((one, key_id) => withoutDisableReason(one, key_id), info)
  const isBack =
    row.status === ChannelStatus.autoDisabled && info.keys !== undefined && [...left].some((key_id) => known.keys?.[key_id] === undefined)
  if (gone.length === 0 && !isBack) return {}
  if (!isBack) return { other_info: encodeChannelInfo(known) }
  return { other_info: encodeChannelInfo(withoutDisableReason(known)), status: ChannelStatus.enabled }
}

function newState(deps: Deps, expires_at: number | null | undefined): KeyState {
  return { added_at: nowSeconds(deps), ...(expires_at === undefined || expires_at === null ? {} : { expires_at }) }
}

function keyWithId(keys: readonly string[], key_id: string): string {
  const key = keys.find((one) => keyIdOf(one) === key_id)
  if (key === undefined) throw new AppError('channels.key-unknown')
  return key
}
