import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { ListFailure } from '../../../lib/list-failure.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { SelectField } from '../../../ui/select.tsx'
import { canReach, channelsQuery } from '../channels/channels-query.ts'

interface ChannelChoiceProps {
  /** Channel ids, or null for the default described by `whole`. */
  value: readonly string[] | null
  whole: string
  error: string | undefined
  onChange: (value: string[] | null) => void
}

export function ChannelChoice({ value, whole, error, onChange }: ChannelChoiceProps) {
  const query = useQuery(channelsQuery)
  const channels = query.data?.channels ?? []
  // Restores the choice after the user switches to the other options and back.
  const chosenBefore = useRef<readonly string[]>([])
  // Deleted channels are dropped.
  const chosen = channels.filter(({ id }) => value?.includes(id) === true).map(({ id }) => id)
  const reachesNobody =
    query.data !== undefined &&
    value !== null &&
    value.length > 0 &&
    !channels.some((channel) => value.includes(channel.id) && canReach(channel))
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <SelectField
        label={t`Where to`}
        error={error}
        note={
          reachesNobody
            ? t`None of the channels that you chose works right now, so you get no alerts.`
            : undefined
        }
        value={value === null ? 'whole' : 'these'}
        onChange={(choice) => {
          if (choice === 'these') onChange([...chosenBefore.current])
          else {
            chosenBefore.current = chosen
            onChange(null)
          }
        }}
      >
        <option value="whole">{whole}</option>
        <option value="these">
          <Trans>Only to these…</Trans>
        </option>
      </SelectField>
      {value !== null && (
        <fieldset className="flex min-w-0 flex-col gap-3">
          <legend className="sr-only">
            <Trans>Channels that get alerts</Trans>
          </legend>
          {query.data?.channels.length === 0 && (
            <p className="text-xs text-muted">
              <Trans>You have no channel yet.</Trans>
            </p>
          )}
          {channels.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              checked={chosen.includes(id)}
              onChange={({ target }) =>
                onChange(
                  channels
                    .map((channel) => channel.id)
                    .filter((own) => (own === id ? target.checked : chosen.includes(own))),
                )
              }
            />
          ))}
          <ListFailure query={query} of="channels" />
        </fieldset>
      )}
    </div>
  )
}
