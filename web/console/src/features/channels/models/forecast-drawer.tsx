import { Alert, Button, chakra } from '@chakra-ui/react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { channels } from '@tollgate/contracts/resources/channels'
import { ROUTED_CALLS, type RoutedCall } from '@tollgate/contracts/channels/routed-calls'
import { Route } from 'lucide-react'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call as send, keyOf } from '../../../lib/api.ts'
import { groupNames } from '../../../lib/group-names.ts'
import { failureText } from '../../../lib/report.ts'
import { PickField } from '../../../ui/form/pick-field.tsx'
import { ChoiceField } from '../../../ui/form/labelled-field.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { DetailDrawer } from '../../../ui/overlay/detail-drawer.tsx'
import { ComingPrices } from './coming-prices.tsx'
import { ForecastTable } from './forecast-table.tsx'

const NO_MODELS: readonly string[] = []
const FORM = 'channel-forecast'

/** Asks which channels a request would try, without sending one. */
export function ForecastDrawer({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('channel-forecast')
  const groups = useQuery(groupNames).data ?? []
  const models = useQuery({
    queryKey: keyOf(channels.enabledModels),
    queryFn: ({ signal }) => send(channels.enabledModels, { signal }),
  }).data
  const [model, setModel] = useState('')
  const [call, setCall] = useState<RoutedCall>('openai-chat')
  const [group, setGroup] = useState('default')
  const [token, setToken] = useState('')
  const [conversation, setConversation] = useState('')
  const [region, setRegion] = useState('')
  const isTokenInvalid = !/^\d{0,15}$/.test(token.trim())
  const forecast = useMutation({
    mutationFn: () =>
      send(channels.forecast, { body: { model, call, group, token_id: Number(token.trim()), conversation, session: '', region } }),
    // The drawer says it in its place.
    meta: { quiet: true },
  })
  const run = (event: FormEvent): void => {
    event.preventDefault()
    if (model !== '' && !isTokenInvalid) forecast.mutate()
  }
  return (
    <DetailDrawer
      title={t('title')}
      size="lg"
      onClose={onClose}
      footer={
        <Button type="submit" form={FORM} loading={forecast.isPending} disabled={model === '' || isTokenInvalid}>
          <Route />
          {t('run')}
        </Button>
      }
    >
      <chakra.div display="flex" flexDirection="column" gap="5">
        <chakra.p color="text.muted">{t('help')}</chakra.p>
        <chakra.form id={FORM} noValidate onSubmit={run} display="grid" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }} gap="4">
          <PickField isMono isRequired label={t('model')} options={models ?? NO_MODELS} value={model} onValue={setModel} />
          <ChoiceField
            label={t('call')}
            value={call}
            onValue={(value) => setCall(ROUTED_CALLS.find((known) => known === value) ?? 'openai-chat')}
            choices={ROUTED_CALLS.map((value) => ({ value, label: t(`calls.${value}`) }))}
          />
          <ChoiceField
            label={t('group')}
            value={group}
            onValue={setGroup}
            choices={['auto', ...groups].map((name) => ({ value: name, label: name }))}
          />
          <TextField
            label={t('token')}
            help={t('token-help')}
            inputMode="numeric"
            value={token}
            onValue={setToken}
            {...(isTokenInvalid ? { error: t('token-invalid') } : {})}
          />
          <TextField label={t('conversation')} help={t('conversation-help')} value={conversation} onValue={setConversation} />
          <TextField label={t('region')} help={t('region-help')} value={region} onValue={setRegion} />
        </chakra.form>
        {forecast.error === null ? null : (
          <Alert.Root status="warning">
            <Alert.Indicator />
            <Alert.Description>{t('refused', { reason: failureText(forecast.error) ?? '' })}</Alert.Description>
          </Alert.Root>
        )}
        {forecast.data === undefined ? null : <ForecastTable forecast={forecast.data} />}
        {forecast.data?.coming_prices === undefined ? null : <ComingPrices changes={forecast.data.coming_prices} />}
      </chakra.div>
    </DetailDrawer>
  )
}
