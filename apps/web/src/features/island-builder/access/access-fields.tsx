import { useId } from 'react'
import DoorOpen from 'virtual:icon/door-open'
import Eye from 'virtual:icon/eye'
import EyeOff from 'virtual:icon/eye-off'
import { Checkbox } from '../../../ui/checkbox.tsx'
import type { IconComponent } from '../../../ui/create-icon.tsx'
import { accessWords } from '../../../islands/island-words.ts'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { type Audience, audiences, audienceText, type AccessChoice } from './audiences.ts'

const policies = [
  { value: 'public', ...accessWords.public },
  { value: 'members', ...accessWords.members },
  { value: 'invited', ...accessWords.invited },
] as const

export function AccessFields(props: {
  value: AccessChoice
  onChange: (choice: AccessChoice) => void
}) {
  const { value, onChange } = props
  return (
    <>
      <RadioCards
        legend="Who may enter"
        options={policies}
        columns="gap-3 sm:grid-cols-3"
        value={value.access}
        onChange={(access) => onChange({ ...value, access })}
      />
      <Checkbox
        label="Let people find it in Explore"
        hint="It then appears in Explore, in Discover, in the search and on the star chart. Search engines may show it too."
        checked={value.isListed}
        onChange={({ target }) => onChange({ ...value, isListed: target.checked })}
      />
      <WhoSeesWhat choice={value} />
    </>
  )
}

const names: Readonly<Record<Audience['who'], string>> = {
  everybody: 'Everybody on the internet',
  navigators: 'Navigators who are signed in',
  members: 'Your members',
}

function WhoSeesWhat({ choice }: { choice: AccessChoice }) {
  const headingId = useId()
  return (
    <section
      aria-labelledby={headingId}
      className="flex min-w-0 flex-col gap-4 rounded-control bg-raised p-4 sm:p-5"
    >
      <h3 id={headingId} className="text-sm font-semibold">
        Who can do what
      </h3>
      <dl className="flex flex-col gap-4">
        {audiences(choice).map((audience) => {
          const Icon = iconOf(audience)
          return (
            <div key={audience.who} className="grid grid-cols-[1.25rem_1fr] gap-x-3">
              <dt className="contents text-sm font-medium">
                <Icon
                  aria-hidden
                  className={
                    audience.knows ? 'mt-0.5 size-5 text-island' : 'mt-0.5 size-5 text-faint'
                  }
                />
                {names[audience.who]}
              </dt>
              <dd className="col-start-2 text-sm text-muted">{audienceText(audience)}</dd>
            </div>
          )
        })}
      </dl>
      <p className="text-xs text-muted">
        Only you and its members see who the members are. People you block see what a signed-out
        visitor sees. If you let fewer people in later, visitors still keep what they already saw or
        saved.
      </p>
    </section>
  )
}

function iconOf({ knows, enters }: Audience): IconComponent {
  if (enters) return DoorOpen
  return knows ? Eye : EyeOff
}
