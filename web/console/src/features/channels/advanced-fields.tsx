import { Input } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CLIENT_DISCONNECT_POLICIES, DRAIN_SECONDS } from '@tollgate/contracts/client-disconnected'
import { isJsonObjectOrEmpty } from '../../ui/json-text.ts'
import { JsonField } from '../../ui/json-field.tsx'
import { LabelledField } from '../../ui/labelled-field.tsx'
import { Select } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { clientDisconnectOf, withDrainSeconds, withPolicy } from './client-disconnected.ts'
import { useProblem, type FieldsProps } from './field-props.ts'

/** What most channels leave as it is. */
export function AdvancedFields({ form, onChange, problems }: FieldsProps): ReactNode {
  const { t } = useTranslation(['channels', 'display'])
  const problem = useProblem(problems)
  return (
    <>
      <JsonField
        label={t('field.status-mapping')}
        help={t('field.status-mapping-help')}
        error={problem('status_code_mapping')}
        field="status_code_mapping"
        value={form.status_code_mapping}
        onChange={(status_code_mapping) => onChange({ ...form, status_code_mapping })}
        placeholder={'{\n  "400": "500"\n}'}
        pairs={{ key: '400', value: '500' }}
      />
      <JsonField
        label={t('field.param-override')}
        help={t('field.param-override-help')}
        error={problem('param_override')}
        field="param_override"
        value={form.param_override}
        onChange={(param_override) => onChange({ ...form, param_override })}
        placeholder={'{\n  "temperature": 0\n}'}
      />
      <JsonField
        label={t('field.setting')}
        help={t('field.setting-help')}
        error={problem('setting')}
        field="setting"
        value={form.setting}
        onChange={(setting) => onChange({ ...form, setting })}
        placeholder={'{\n  "proxy": "socks5://127.0.0.1:1080"\n}'}
      />
      {isJsonObjectOrEmpty(form.setting) ? <ClientDisconnectFields form={form} onChange={onChange} problems={problems} /> : null}
      <TextField
        label={t('field.openai-organization')}
        help={t('field.openai-organization-help')}
        value={form.openai_organization}
        onValue={(openai_organization) => onChange({ ...form, openai_organization })}
      />
      <LabelledField
        label={t('field.max-input-tokens')}
        help={t('field.max-input-tokens-help')}
        error={problem('max_input_tokens')}
        field="max_input_tokens"
      >
        <Input
          inputMode="numeric"
          value={form.max_input_tokens}
          onChange={(event) => onChange({ ...form, max_input_tokens: event.target.value })}
        />
      </LabelledField>
    </>
  )
}

type ClientDisconnectProps = Pick<FieldsProps, 'form' | 'onChange' | 'problems'>

/** What becomes of a call whose client leaves, and for how long it may be read on. */
function ClientDisconnectFields({ form, onChange, problems }: ClientDisconnectProps): ReactNode {
  const { t } = useTranslation('channels')
  const { policy, drain_seconds } = clientDisconnectOf(form.setting)
  return (
    <>
      <LabelledField label={t('field.client-disconnected')} help={t(`client-disconnected-help.${policy}`)}>
        <Select
          isWide
          label={t('field.client-disconnected')}
          value={policy}
          choices={CLIENT_DISCONNECT_POLICIES.map((value) => ({ value, label: t(`client-disconnected.${value}`) }))}
          onChange={(value) => onChange({ ...form, setting: withPolicy(form.setting, value) })}
        />
      </LabelledField>
      {policy === 'cancel' ? null : (
        <LabelledField
          label={t('field.drain-seconds')}
          help={t('field.drain-seconds-help')}
          error={problems.includes('drain-seconds') ? t('error.drain-seconds') : undefined}
        >
          <Input
            inputMode="numeric"
            placeholder={String(DRAIN_SECONDS.default)}
            value={drain_seconds}
            onChange={(event) => onChange({ ...form, setting: withDrainSeconds(form.setting, event.target.value) })}
          />
        </LabelledField>
      )}
    </>
  )
}
