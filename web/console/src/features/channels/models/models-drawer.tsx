import { chakra } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { Channel } from '@tollgate/contracts/resources/channels'
import { timeText } from '@tollgate/domain/display/time-text'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DetailDrawer } from '../../../ui/overlay/detail-drawer.tsx'
import { channelHealth } from '../api.ts'
import { ApplyModels, ModelNames } from './apply-models.tsx'

/** How a channel's models differ from those that its vendor listed last, and the way to take them over. */
export function ModelsDrawer({ channel, onClose }: { readonly channel: Channel; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('channel-runs')
  const models = useQuery(channelHealth([channel.id])).data?.get(channel.id)?.models
  return (
    <DetailDrawer title={t('models-of', { name: channel.name })} onClose={onClose}>
      {models === undefined ? null : (
        <chakra.div display="flex" flexDirection="column" gap="4">
          <chakra.p color="text.muted">{t('models-at', { time: timeText(models.at) })}</chakra.p>
          {models.error === '' ? null : <chakra.p color="danger.fg">{models.error}</chakra.p>}
          <ApplyModels rows={[{ channel_id: channel.id, name: channel.name, fresh: models.fresh, gone: models.gone }]} onDone={onClose} />
          <ModelNames fresh={models.fresh} gone={models.gone} />
        </chakra.div>
      )}
    </DetailDrawer>
  )
}
