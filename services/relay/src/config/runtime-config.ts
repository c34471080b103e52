import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import { keyIdOf, sealedBy, type Sealer } from '@tollgate/config/sealing'
import { ONE_KEY, type KeyIds } from '@tollgate/domain/channel-choice/choice'
import { openChannel } from '@tollgate/domain/channel-choice/setting-secrets'
import { multiKeyModeOf, splitKeys } from '@tollgate/domain/channel-choice/split-keys'
import { usableKeys, type UsableKeys } from '@tollgate/domain/channel-choice/usable-keys'
import { wildcardOf } from '@tollgate/domain/pricing/gizmo'
import type { Snapshot, SnapshotReader } from '@tollgate/redis/snapshot/snapshot-store'
import { readSettings, type Settings } from './settings.ts'

/** The operator's proxy for media URLs (option `WorkerUrl`), which hides the relay's own address from their servers. */
export type MediaProxy = { readonly url: string; readonly key: string; readonly allows_http: boolean }

/** The decoded snapshot and settings, indexed for the pipeline. */
export type RuntimeConfig = {
  readonly snapshot: Snapshot
  readonly settings: Settings
  /** Every channel of the group that lists the model, including disabled ones. */
  listChannels(group: string, model: string): ChannelSnapshot[]
  /** True if a channel lists the model, or it has a price. */
  knowsModel(model: string): boolean
  /** Models that an enabled channel of the group serves. */
  listModels(group: string): string[]
  /** Ids of the channel's keys that are neither disabled nor expired; `['']` stands for the only key of a channel. */
  keyIdsOf(channel: ChannelSnapshot): KeyIds
  /** The key with this id in clear text; unsealed on first use and cached until the channel changes. */
  keyOf(channel: ChannelSnapshot, key_id: string): string
  /** The channel with the secrets of its setting in clear text; unsealed on first use and cached until the channel changes. */
  openedOf(channel: ChannelSnapshot): ChannelSnapshot
  /** The operator's proxy for media URLs in requests; undefined: the relay fetches them itself. */
  mediaProxy(): MediaProxy | undefined
}

/** Follows the snapshot and keeps an index of channels by model, the parsed settings and the unsealed keys. */
export function createRuntimeConfig(reader: SnapshotReader, sealer: Sealer, now: () => number): RuntimeConfig {
  const index = createChannelIndex()
  let settings = readSettings(reader.current().options)
  const rebuild = () => {
    const { channels, options } = reader.current()
    index.refresh([...index.ids(), ...channels.keys()], channels)
    settings = readSettings(options)
  }
  rebuild()
  reader.onChange(({ isWhole, fields }) => {
    if (isWhole) return rebuild()
    index.refresh(fields.channels.map(Number), reader.current().channels)
    if (fields.options.length > 0) settings = readSettings(reader.current().options)
  })
  return {
    // oxlint-disable-next-line tollgate/no-object-getter -- made once per process
    get snapshot() {
      return reader.current()
    },
    // oxlint-disable-next-line tollgate/no-object-getter -- made once per process
    get settings() {
      return settings
    },
    listChannels: (group, model) => {
      const found = index.of(model)
      const wildcard = found.length === 0 ? wildcardOf(model) : undefined
      const channels = wildcard === undefined ? found : index.of(wildcard)
      return channels.filter((channel) => channel.groups.includes(group))
    },
    knowsModel: (model) => index.of(model).length > 0 || reader.current().prices.has(model),
    listModels: (group) => index.modelsOf(group),
    mediaProxy: () => {
      const { url, key_sealed, allows_http } = settings.media_proxy
      if (url === '') return undefined
      return { url, key: key_sealed === '' ? '' : sealer.unseal(key_sealed, sealedBy.option('WorkerValidKey')), allows_http }
    },
    ...createChannelSecrets(sealer, now),
  }
}

/** Unseals what a channel has sealed when it is first used, and keeps it until the channel changes. */
function createChannelSecrets(sealer: Sealer, now: () => number): Pick<RuntimeConfig, 'keyIdsOf' | 'keyOf' | 'openedOf'> {
  const keyrings = new WeakMap<ChannelSnapshot, Keyring>()
  const usable = new WeakMap<ChannelSnapshot, UsableKeys>()
  const opened = new WeakMap<ChannelSnapshot, ChannelSnapshot>()
  const keyringOf = (channel: ChannelSnapshot): Keyring => {
    const known = keyrings.get(channel) ?? openKeyring(channel, sealer)
    keyrings.set(channel, known)
    return known
  }
  return {
    keyIdsOf: (channel) => {
      const known = usable.get(channel)
      const seconds = now() / 1000
      if (known !== undefined && seconds < known.until) return known.key_ids
      const key_ids = multiKeyModeOf(channel.setting) === undefined ? ONE_KEY : [...keyringOf(channel).keys()]
      const found = usableKeys(key_ids, channel, seconds)
      usable.set(channel, found)
      return found.key_ids
    },
    keyOf: (channel, key_id) => keyringOf(channel).get(key_id) ?? '',
    openedOf: (channel) => {
      if (channel.setting_sealed === undefined) return channel
      const known = opened.get(channel) ?? openChannel(channel, (sealed) => sealer.unseal(sealed, sealedBy.channelSetting(channel.id)))
      opened.set(channel, known)
      return known
    },
  }
}

/** A channel's keys by their ids. */
type Keyring = ReadonlyMap<string, string>

function openKeyring(channel: ChannelSnapshot, sealer: Sealer): Keyring {
  const text = sealer.unseal(channel.key_sealed, sealedBy.channelKey(channel.id))
  if (multiKeyModeOf(channel.setting) === undefined) return new Map([['', text]])
  return new Map(splitKeys(text).map((key) => [keyIdOf(key), key]))
}

const ENABLED = 1

function createChannelIndex() {
  const byModel = new Map<string, Map<number, ChannelSnapshot>>()
  const indexed = new Map<number, ChannelSnapshot>()
  const forget = (id: number) => {
    for (const model of indexed.get(id)?.models ?? []) {
      const channels = byModel.get(model)
      channels?.delete(id)
      if (channels?.size === 0) byModel.delete(model)
    }
    indexed.delete(id)
  }
  const add = (channel: ChannelSnapshot) => {
    indexed.set(channel.id, channel)
    for (const model of channel.models) {
      const channels = byModel.get(model) ?? new Map<number, ChannelSnapshot>()
      channels.set(channel.id, channel)
      byModel.set(model, channels)
    }
  }
  return {
    ids: () => indexed.keys(),
    of: (model: string): ChannelSnapshot[] => [...(byModel.get(model)?.values() ?? [])],
    modelsOf: (group: string): string[] => {
      const serves = (channel: ChannelSnapshot) => channel.status === ENABLED && channel.groups.includes(group)
      return [...byModel].filter(([, channels]) => channels.values().some(serves)).map(([model]) => model)
    },
    refresh: (ids: readonly number[], channels: ReadonlyMap<number, ChannelSnapshot>) => {
      for (const id of ids) {
        forget(id)
        const channel = channels.get(id)
        if (channel !== undefined) add(channel)
      }
    },
  }
}
