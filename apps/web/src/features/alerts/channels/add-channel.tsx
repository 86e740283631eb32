import type { ChannelKind } from '@astropelago/contract/alert-channels'
import { useId, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { RadioCard } from '../../../ui/radio-card.tsx'
import { channelKinds, kindLooks } from './channel-kinds.ts'
import { type ChannelList, type CreatedChannel, useCreateChannel } from './channels-query.ts'
import { PushForm } from './push-form.tsx'
import { ServiceForm } from './service-form.tsx'

interface AddChannelProps {
  list: ChannelList
  onCreated: (channel: CreatedChannel) => void
  onClose: () => void
}

/** The kinds of channels, and the form for the chosen kind. */
export function AddChannel({ list, onCreated, onClose }: AddChannelProps) {
  const [kind, setKind] = useState<ChannelKind>()
  const create = useCreateChannel()
  return (
    <section aria-label="New channel" className="flex min-w-0 flex-col gap-5">
      <fieldset className="grid min-w-0 gap-2.5 sm:grid-cols-2 lg:grid-cols-3">
        <legend className="mb-2.5 text-sm font-medium text-ink">Where to?</legend>
        {channelKinds.map((each, index) => (
          <KindCard
            key={each}
            kind={each}
            isOff={each === 'email' && !list.canSendMail}
            isChosen={each === kind}
            hasFocus={index === 0}
            onChoose={() => setKind(each)}
          />
        ))}
      </fieldset>
      {kind === undefined ? (
        <div>
          <Button variant="ghost" size="sm" onClick={onClose}>
            Cancel
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
          label={`New channel: ${kindLooks[kind].name}`}
          submit={{ label: 'Add the channel', busy: 'Adding…' }}
          send={create}
          onSent={onCreated}
          onClose={onClose}
        />
      )}
    </section>
  )
}

interface KindCardProps {
  kind: ChannelKind
  /** The server isn't set up to send to this kind. */
  isOff: boolean
  isChosen: boolean
  /** Takes the focus on mount, because the button that opened the choice is gone. */
  hasFocus: boolean
  onChoose: () => void
}

function KindCard({ kind, isOff, isChosen, hasFocus, onChoose }: KindCardProps) {
  const { name, hint, icon: Icon } = kindLooks[kind]
  const id = useId()
  return (
    <RadioCard
      name="channel-kind"
      aria-labelledby={`${id}-name`}
      aria-describedby={`${id}-hint`}
      disabled={isOff}
      checked={isChosen}
      ref={hasFocus ? takeFocus : undefined}
      onChange={onChoose}
    >
      <span className="flex min-w-0 flex-col gap-0.5">
        <span id={`${id}-name`} className="flex items-center gap-2 text-sm font-medium text-ink">
          <Icon aria-hidden className="size-4 shrink-0 text-muted" />
          {name}
        </span>
        <span id={`${id}-hint`} className="text-xs text-muted">
          {isOff ? 'This server sends no e-mail' : hint}
        </span>
      </span>
    </RadioCard>
  )
}

function takeFocus(input: HTMLInputElement | null) {
  input?.focus()
}
