import type { NewChannel } from '@tollgate/contracts/resources/channels'

export type ChannelDraft = {
  readonly type: number
  readonly name: string
  readonly key: string
  readonly base_url: string
  readonly models: string
}

/** A key of the namespace `home`, or undefined when the draft can be sent. */
export function checkChannel(
  { name, key, base_url, models }: ChannelDraft,
  needsAddress: boolean,
): 'channel-name-and-key' | 'channel-no-model' | 'channel-address-needed' | undefined {
  if (name.trim() === '' || key.trim() === '') return 'channel-name-and-key'
  if (needsAddress && base_url.trim() === '') return 'channel-address-needed'
  return modelsOf(models).length === 0 ? 'channel-no-model' : undefined
}

export function toNewChannel({ type, name, key, base_url, models }: ChannelDraft): NewChannel {
  return {
    type,
    name: name.trim(),
    key: key.trim(),
    base_url: base_url.trim().replace(/\/+$/, ''),
    models: modelsOf(models).join(','),
    group: 'default',
    auto_ban: 1,
  }
}

/** Names between commas (Chinese ones too) or line breaks, each once. */
export function modelsOf(text: string): readonly string[] {
  return [
    ...new Set(
      text
        .split(/[,，\n]/)
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    ),
  ]
}
