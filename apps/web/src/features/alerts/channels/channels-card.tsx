import { alertChannelsPerUser } from '@astropelago/contract/limits'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import BellPlus from 'virtual:icon/bell-plus'
import { errorSentence } from '../../../lib/error-sentence.ts'
import { ListFailure } from '../../../lib/list-failure.tsx'
import { useNow } from '../../../lib/use-now.ts'
import { useUser } from '../../../lib/use-user.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useFocusReturn } from '../../../ui/focus.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Card } from '../../../ui/card.tsx'
import { AddChannel } from './add-channel.tsx'
import { ChannelItem } from './channel-item.tsx'
import { type ChannelList, channelsQuery, type CreatedChannel } from './channels-query.ts'

export function ChannelsCard() {
  const { isDemo } = useUser()
  const query = useQuery({ ...channelsQuery, enabled: !isDemo })
  return (
    <Card
      title={t`Channels`}
      description={t`Where your alerts are sent. Only you see this list. Passwords and keys are never shown again.`}
    >
      {isDemo && <p className="text-sm text-muted">{errorSentence('demo_account')}</p>}
      {query.isLoading && <Skeleton className="h-32 w-full rounded-control" />}
      {query.data !== undefined && <Channels list={query.data} />}
      <ListFailure query={query} of="channels" />
    </Card>
  )
}

function Channels({ list }: { list: ChannelList }) {
  const { channels } = list
  const nowMs = useNow()
  const [isAdding, setIsAdding] = useState(false)
  const [created, setCreated] = useState<CreatedChannel>()
  // A channel that was created takes the focus itself.
  const addButton = useFocusReturn(isAdding || created !== undefined)
  const isFull = channels.length >= alertChannelsPerUser

  const add = () => {
    setCreated(undefined)
    setIsAdding(true)
  }
  return (
    <>
      {channels.length > 0 ? (
        <ul aria-label={t`Channels`} className="flex min-w-0 flex-col border-y border-line">
          {channels.map((channel) => (
            <ChannelItem
              key={channel.id}
              channel={channel}
              pushKey={list.pushKey}
              created={created?.id === channel.id ? created : undefined}
              nowMs={nowMs}
            />
          ))}
        </ul>
      ) : (
        !isAdding && (
          <EmptyState icon={<BellPlus aria-hidden />} title={t`You get no alerts yet`}>
            <p>
              <Trans>
                Add this browser, an e-mail address or one of seven services. You can send a test to
                each of them.
              </Trans>
            </p>
          </EmptyState>
        )
      )}
      {isAdding ? (
        <AddChannel
          list={list}
          onCreated={(channel) => {
            setCreated(channel)
            setIsAdding(false)
          }}
          onClose={() => setIsAdding(false)}
        />
      ) : isFull ? (
        <p className="text-sm text-muted">
          <Trans>An account can’t have more channels than this. Delete one to add another.</Trans>
        </p>
      ) : (
        <div>
          <Button ref={addButton} variant="outline" size="sm" onClick={add}>
            <Trans>Add a channel</Trans>
          </Button>
        </div>
      )}
    </>
  )
}
