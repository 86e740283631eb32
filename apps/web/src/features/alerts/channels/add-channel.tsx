import type { ChannelKind } from '@astropelago/contract/alert-channels'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { ServiceForm } from './channel-forms.tsx'
import { channelKinds, kindLabels } from './channel-kinds.ts'
import { type ChannelList, type CreatedChannel, useCreateChannel } from './channels-query.ts'
import { PushForm } from './push-form.tsx'

interface AddChannelProps {
  list: ChannelList
  onCreated: (channel: CreatedChannel) => void
  onClose: () => void
}

export function AddChannel({ list, onCreated, onClose }: AddChannelProps) {
  const [kind, setKind] = useState<ChannelKind>()
  const create = useCreateChannel()
  return (
    <section aria-label={t`New channel`} className="flex min-w-0 flex-col gap-5">
      <RadioCards
        legend={t`Where to?`}
        options={channelKinds.map((each) => optionOf(each, list.canSendMail))}
        columns="gap-2.5 sm:grid-cols-2 lg:grid-cols-3"
        value={kind}
        // The button that opened the choice is gone.
        takesFocus
        onChange={setKind}
      />
      {kind === undefined ? (
        <div>
          <Button variant="ghost" size="sm" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
        </div>
      ) : kind === 'push' ? (
        <PushForm
          pushKey={list.pushKey}
          channels={list.channels}
          onCreated={onCreated}
          onClose={onClose}
        />
      ) : (
        <ServiceForm
          key={kind}
          kind={kind}
          label={t`New channel: ${kindLabels[kind].name}`}
          submit={{ label: t`Add the channel`, busy: t`Adding…` }}
          send={create}
          onSent={onCreated}
          onClose={onClose}
        />
      )}
    </section>
  )
}

function optionOf(kind: ChannelKind, canSendMail: boolean) {
  const { name, hint, icon: Icon } = kindLabels[kind]
  const isOff = kind === 'email' && !canSendMail
  return {
    value: kind,
    name: (
      <span className="flex items-center gap-2">
        <Icon aria-hidden className="size-4 shrink-0 text-muted" />
        {name}
      </span>
    ),
    about: isOff ? t`This server sends no e-mail` : hint,
    isOff,
  }
}
