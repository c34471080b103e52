import { Command } from 'ioredis'

/** The hash slot of a key. https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#key-distribution-model */
export function slotOfKey(key: string): number {
  return new Command('get', [key]).getSlot() ?? 0
}
