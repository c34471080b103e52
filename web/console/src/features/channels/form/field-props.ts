import type { Channel } from '@tollgate/contracts/resources/channels'
import type { ResourceForm } from '../../../ui/form/use-resource-form.ts'
import type { ChannelForm } from './form.ts'

export type FieldsProps = {
  readonly form: ResourceForm<ChannelForm>
  /** Absent for a new one. */
  readonly channel: Channel | undefined
}
