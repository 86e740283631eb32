import { useQuery } from '@tanstack/react-query'
import { relayQuery } from '../../islands/relay-query.ts'
import { RadioChoices } from '../../ui/radio-choices.tsx'

/** Why a device is connected: to report its status, or to carry visitors to what it hosts. */
export type Purpose = 'reporting' | 'hosting'

interface ChoosePurposeProps {
  value: Purpose
  onChoose: (purpose: Purpose) => void
}

export function ChoosePurpose({ value, onChoose }: ChoosePurposeProps) {
  const { data: relay } = useQuery(relayQuery)
  const hasNoRelay = relay?.addresses === null
  return (
    <RadioChoices
      legend="What is it for?"
      choices={[
        {
          value: 'reporting',
          name: 'Report only',
          about: 'The device reports that it is online, and you see it on the globe.',
        },
        {
          value: 'hosting',
          name: 'Host something here',
          about: hasNoRelay
            ? 'This server has no relay, so it can’t bring visitors to your device. The operator of this server can turn the relay on.'
            : 'A program or a folder on the device becomes an island that others open in a browser.',
          isDisabled: hasNoRelay,
        },
      ]}
      value={value}
      onChange={onChoose}
    />
  )
}
