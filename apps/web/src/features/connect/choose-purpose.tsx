import { useQuery } from '@tanstack/react-query'
import { useCallback, useId } from 'react'
import { useSearchParams } from 'react-router'
import { relayQuery } from '../../islands/relay-query.ts'
import { RadioCard } from '../../ui/radio-card.tsx'

const purposes = [
  {
    purpose: 'reporting',
    name: 'Report only',
    about: 'The device reports that it is online, and you see it on the globe.',
  },
  {
    purpose: 'hosting',
    name: 'Host something here',
    about: 'A program or a folder on the device becomes an island that others open in a browser.',
  },
] as const

interface ChoosePurposeProps {
  value: Purpose
  onChoose: (purpose: Purpose) => void
}

export function ChoosePurpose({ value, onChoose }: ChoosePurposeProps) {
  const id = useId()
  const { data: relay } = useQuery(relayQuery)
  const hasNoRelay = relay?.addresses === null
  return (
    <fieldset className="flex min-w-0 flex-col">
      <legend className="mb-2 text-sm font-medium text-ink">What is it for?</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {purposes.map(({ purpose, name, about }) => (
          <RadioCard
            key={purpose}
            name={id}
            value={purpose}
            checked={value === purpose}
            onChange={() => onChoose(purpose)}
            disabled={purpose === 'hosting' && hasNoRelay}
            aria-labelledby={`${id}-${purpose}`}
            aria-describedby={`${id}-${purpose}-about`}
          >
            <span className="flex min-w-0 flex-col gap-0.5">
              <span id={`${id}-${purpose}`} className="text-sm font-medium text-ink">
                {name}
              </span>
              <span id={`${id}-${purpose}-about`} className="text-xs text-muted">
                {purpose === 'hosting' && hasNoRelay
                  ? 'This server has no relay, so it can’t bring visitors to your device. The operator of this server can turn the relay on.'
                  : about}
              </span>
            </span>
          </RadioCard>
        ))}
      </div>
    </fieldset>
  )
}

type Purpose = 'reporting' | 'hosting'

const parameter = 'for'

export function usePurpose() {
  const [searchParams, setSearchParams] = useSearchParams()
  const choose = useCallback(
    (purpose: Purpose) => {
      const change = (current: URLSearchParams) => {
        if (purpose === 'hosting') current.set(parameter, purpose)
        else current.delete(parameter)
        return current
      }
      setSearchParams(change, { replace: true, preventScrollReset: true })
    },
    [setSearchParams],
  )
  const purpose: Purpose = searchParams.get(parameter) === 'hosting' ? 'hosting' : 'reporting'
  return [purpose, choose] as const
}
