import type { OwnIsland } from '@astropelago/contract/islands'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId, useState } from 'react'
import Images from 'virtual:icon/images'
import { Button } from '../../../ui/button.tsx'
import { IslandSky } from '../../../islands/island-card.tsx'
import { IslandPicture } from '../../../islands/island-picture.tsx'
import { formatNumber } from '../../../language/format.ts'
import { RadioCard } from '../../../ui/radio-card.tsx'
import { pictureChoices } from './picture-choices.ts'

interface PictureFieldProps {
  island: Pick<OwnIsland, 'id' | 'kind' | 'picture'>
  value: number
  onChange: (picture: number) => void
}

export function PictureField({ island, value, onChange }: PictureFieldProps) {
  const { id, kind, picture } = island
  const name = useId()
  // The selected picture stays among the choices after new ones are offered.
  const [{ turn, selected }, setOffer] = useState({ turn: 0, selected: value })
  const choices = [...new Set([picture, ...pictureChoices(id, turn), selected])]
  return (
    <>
      <IslandSky className="h-56 rounded-control border border-line sm:h-72">
        <IslandPicture picture={value} kind={kind} className="h-full" />
      </IslandSky>
      <fieldset className="min-w-0">
        <legend className="mb-3 text-sm font-medium">
          <Trans>Another picture</Trans>
        </legend>
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
          {choices.map((choice, index) => (
            <RadioCard
              key={choice}
              name={name}
              checked={choice === value}
              onChange={() => onChange(choice)}
              aria-label={
                choice === picture ? t`The current picture` : t`Picture ${formatNumber(index + 1)}`
              }
            >
              {/* Centred in the card, with the radio button in its corner. */}
              <span className="pointer-events-none -ms-7.5 flex min-w-0 flex-1 justify-center">
                <IslandPicture picture={choice} kind={kind} className="h-20" />
              </span>
            </RadioCard>
          ))}
        </div>
      </fieldset>
      <div>
        <Button
          variant="outline"
          size="sm"
          onClick={() => setOffer({ turn: turn + 1, selected: value })}
        >
          <Images aria-hidden />
          <Trans>Show me others</Trans>
        </Button>
      </div>
    </>
  )
}
