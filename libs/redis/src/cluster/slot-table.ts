/** Number of hash slots of a cluster. https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/ */
export const SLOTS = 16_384

/** A line of CLUSTER NODES. https://redis.io/docs/latest/commands/cluster-nodes/ */
export type ClusterNode = {
  readonly id: string
  /** `host:port` */
  readonly address: string
  /** The node that answered. */
  readonly isSelf: boolean
  readonly isMaster: boolean
  /** It has an address, and is no node that others only begin to know. */
  readonly isMember: boolean
  /** The node that answered cannot reach it. */
  readonly isAway: boolean
  /** Rises with each promotion; of two nodes that claim a slot the one with the higher epoch has it. */
  readonly epoch: number
  /** First and last slot of each range. */
  readonly slots: readonly (readonly [first: number, last: number])[]
}

/** Reads an answer to CLUSTER NODES. `askedAt`: the address that answered, which may not know its own. */
export function parseNodes(text: string, askedAt: string): ClusterNode[] {
  return text
    .split('\n')
    .map((line) => line.trim().split(' '))
    .filter((fields) => fields.length >= MIN_FIELDS)
    .map((fields) => toNode(fields, askedAt))
}

const MIN_FIELDS = 8

function toNode([id = '', where = '', flagText = '', , , , epoch = '0', , ...slots]: readonly string[], askedAt: string): ClusterNode {
  const flags = flagText.split(',')
  const named = addressOf(where)
  return {
    id,
    address: named === undefined && flags.includes('myself') ? askedAt : (named ?? ''),
    isSelf: flags.includes('myself'),
    isMaster: flags.includes('master'),
    isMember: !flags.includes('handshake') && !flags.includes('noaddr') && (named !== undefined || flags.includes('myself')),
    epoch: Number(epoch),
    isAway: flags.includes('fail') || flags.includes('fail?'),
    // `[93-<-id]` and `[93->-id]` are slots that are moving; until then they belong to the node that lists them as a range.
    slots: slots.filter((slot) => !slot.startsWith('[')).map(toRange),
  }
}

/** `ip:port@bus,hostname`; a host name that is announced is preferred, because certificates hold names. */
function addressOf(where: string): string | undefined {
  const [address = '', hostname = ''] = where.split(',')
  const plain = address.split('@')[0] ?? ''
  const at = plain.lastIndexOf(':')
  const [ip, port] = [plain.slice(0, at), plain.slice(at + 1)]
  const host = hostname !== '' && !hostname.includes('=') ? hostname : ip
  if (host === '') return undefined
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

function toRange(text: string): readonly [number, number] {
  const [first = 0, last = first] = text.split('-').map(Number)
  return [first, last]
}

/** The master of each slot, and all masters, with or without slots. */
export type SlotTable = { readonly bySlot: readonly (string | undefined)[]; readonly masters: readonly string[] }

/**
 * Joins what several nodes say. A node that was cut off still claims its slots: the claim with the highest epoch counts, as between the
 * nodes themselves.
 */
export function joinViews(views: readonly (readonly ClusterNode[])[]): SlotTable {
  const newest = new Map<string, ClusterNode>()
  const claims = views.flat().filter(({ isMember }) => isMember)
  for (const node of claims) {
    const known = newest.get(node.id)
    if (known === undefined || node.epoch > known.epoch) newest.set(node.id, node)
  }
  const bySlot = Array.from<string | undefined>({ length: SLOTS })
  const epochs = Array.from({ length: SLOTS }, () => -1)
  for (const { address, isMaster, epoch, slots } of claims) {
    if (!isMaster) continue
    for (const [first, last] of slots)
      for (let slot = first; slot <= last; slot += 1) {
        if (epoch <= (epochs[slot] ?? -1)) continue
        bySlot[slot] = address
        epochs[slot] = epoch
      }
  }
  const masters = new Set(bySlot.filter((master) => master !== undefined))
  // Slots may be moved to them. A master that was replaced has none either, as long as it is away.
  for (const { address, isMaster, isAway, slots } of newest.values()) if (isMaster && !isAway && slots.length === 0) masters.add(address)
  return { bySlot, masters: [...masters].toSorted() }
}
