import { z } from 'zod'

export const MAX_STATUS_GROUPS = 40

/** The name of a model group on the public status page. */
export const StatusGroupName = z.string().trim().min(1).max(60)

/** Names of model groups with patterns of their models; `*` stands for any characters. A model belongs to the first group that has it. */
export const StatusGroups = z
  .record(StatusGroupName, z.array(z.string().trim().min(1).max(255)).max(200))
  .refine((groups) => Object.keys(groups).length <= MAX_STATUS_GROUPS)
export type StatusGroups = Readonly<Record<string, readonly string[]>>
