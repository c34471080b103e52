import type { OptionReader } from '@tollgate/db/option-reader'
import type { Db, Tx } from '@tollgate/db/connect'
import { createGroupOf, type GroupOf } from '@tollgate/domain/status-page/model-groups'
import { makerOf } from '@tollgate/providers/catalogue/maker-of'

const KEYS = ['StatusPageEnabled', 'StatusPageGroups', 'StatusPageShowMakers', 'SystemName', 'ServerAddress'] as const

export type PageSettings = {
  readonly isOn: boolean
  readonly siteName: string
  /** Empty: not set. */
  readonly address: string
  readonly groupOf: GroupOf
  /** Names of the operator's groups, in their order; empty: the groups follow from the models. */
  readonly names: readonly string[]
}

export async function readPageSettings(options: OptionReader, db: Db | Tx): Promise<PageSettings> {
  const {
    StatusPageEnabled,
    StatusPageGroups: groups,
    StatusPageShowMakers: byMaker,
    SystemName,
    ServerAddress,
  } = await options.pick(KEYS, db)
  return {
    isOn: StatusPageEnabled,
    siteName: SystemName,
    address: ServerAddress,
    groupOf: createGroupOf({ groups, byMaker, makerOf }),
    names: Object.keys(groups),
  }
}
