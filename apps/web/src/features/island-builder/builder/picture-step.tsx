import type { OwnIsland } from '@astropelago/contract/islands'
import { useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { IslandSky } from '../../../ui/island-card.tsx'
import { IslandPicture } from '../../../ui/island-picture.tsx'
import { RadioCard } from '../../../ui/radio-card.tsx'
import { SlugField } from '../details/slug-field.tsx'
import { wishedSlug } from '../details/slug-text.ts'
import { publishDraft } from '../door/publish-draft.ts'
import { pictureChoices } from './picture-choices.ts'

/** The picture of an island, chosen by its address: each draws another one. */
export function PictureStep({ island }: { island: OwnIsland }) {
  const { id, kind, door, isListed } = island
  const name = useId()
  const navigate = useNavigate()
  const [kept] = useState(() => publishDraft(id))
  const [slug, setSlug] = useState(() => kept.read()?.slug ?? wishedSlug(island.slug))
  // As they were at first: what is chosen must not change what there is to choose.
  const [choices] = useState(() => pictureChoices(slug))
  const choose = (next: string) => {
    setSlug(next)
    kept.write({ door, isListed, ...kept.read(), slug: next })
  }
  return (
    <form
      noValidate
      aria-label="Picture"
      className="flex min-w-0 flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        void navigate(paths.newIsland(id, 'publish'))
      }}
    >
      <Card>
        <p className="text-sm text-muted">
          It is drawn from the address, the same on every screen and wherever the address is pasted.
          Choose one of these, or type an address of your own.
        </p>
        <IslandSky className="h-56 rounded-control border border-line sm:h-72">
          <IslandPicture slug={slug === '' ? 'island' : slug} kind={kind} className="h-full" />
        </IslandSky>
        <fieldset className="min-w-0">
          <legend className="mb-3 text-sm font-medium">Picture</legend>
          <div className="grid grid-cols-2 gap-3 md:grid-cols-3">
            {choices.map((choice) => (
              <RadioCard
                key={choice}
                name={name}
                value={choice}
                checked={choice === slug}
                onChange={() => choose(choice)}
              >
                {/* In the middle of the card, whose corner the radio takes. */}
                <span className="pointer-events-none -ml-7.5 flex min-w-0 flex-1 flex-col gap-2">
                  <IslandPicture slug={choice} kind={kind} className="h-20 self-center" />
                  <span className="text-center text-xs wrap-anywhere text-ink">{choice}</span>
                </span>
              </RadioCard>
            ))}
          </div>
        </fieldset>
        <SlugField value={slug} error={undefined} onChange={choose} />
      </Card>
      <div className="flex flex-wrap gap-3">
        <Button type="submit">Go on</Button>
        <Button variant="ghost" onClick={() => void navigate(paths.newIsland(id, 'details'))}>
          Back
        </Button>
      </div>
    </form>
  )
}
