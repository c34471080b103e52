import type { Channel } from '@tollgate/contracts/resources/channels'
import { useTranslation } from 'react-i18next'
import { FIELD_OF_PROBLEM, type ChannelForm, type ChannelProblem } from './form.ts'

export type FieldsProps = {
  readonly form: ChannelForm
  readonly onChange: (form: ChannelForm) => void
  readonly problems: readonly ChannelProblem[]
  readonly channel: Channel | undefined
}

/** The text of a field's problem. */
export function useProblem(problems: readonly ChannelProblem[]): (field: keyof ChannelForm) => string | undefined {
  const { t } = useTranslation('channels')
  return (field) => {
    const problem = problems.find((one) => FIELD_OF_PROBLEM[one] === field)
    return problem === undefined ? undefined : t(`error.${problem}`)
  }
}
