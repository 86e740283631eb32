import { templateNames } from '@astropelago/contract/hosted-pages'
import { t } from '@lingui/core/macro'
import { Link, useSearchParams } from 'react-router'
import * as v from 'valibot'
import Check from 'virtual:icon/check'
import { paths } from '../../../paths.ts'

const builderSteps = [
  { id: 'choose', name: t`Choose` },
  { id: 'details', name: t`Details` },
  { id: 'picture', name: t`Picture` },
  { id: 'publish', name: t`Publish` },
] as const

export type BuilderStep = (typeof builderSteps)[number]['id']

/** What an island can become: a template, the user's files, or another way for visitors to enter. */
const What = v.picklist([...templateNames, 'files', 'relay', 'link'])
export type What = v.InferOutput<typeof What>

/** The step in the address, what was chosen, and the id of the draft, once it exists. */
export function useBuilderPlace() {
  const [parameters] = useSearchParams()
  const asked = parameters.get('step')
  const what = v.safeParse(What, parameters.get('what'))
  return {
    islandId: parameters.get('island') ?? undefined,
    what: what.success ? what.output : undefined,
    /** Whether it says what a new island is, as links from Connect do. */
    isDescribed: parameters.has('device') || parameters.has('name'),
    step: builderSteps.find(({ id }) => id === asked)?.id,
  }
}

/** Hosted pages need fewer steps. */
export function StepList(props: {
  islandId: string | undefined
  current: BuilderStep
  isHosted: boolean
}) {
  const { islandId, current, isHosted } = props
  const steps = builderSteps.filter(({ id }) => !isHosted || id === 'choose' || id === 'publish')
  const place = steps.findIndex(({ id }) => id === current)
  return (
    <nav aria-label={t`Steps`}>
      <ol className="flex items-center gap-2 text-sm sm:gap-4">
        {steps.map(({ id, name }, index) => {
          const isDone = index < place
          const to = pathOf(id, islandId)
          const label = (
            <>
              <span
                aria-hidden
                data-numeric
                className="grid size-6 shrink-0 place-items-center rounded-full border border-edge text-xs in-aria-[current=step]:border-accent in-aria-[current=step]:bg-accent in-aria-[current=step]:text-on-accent"
              >
                {isDone ? <Check className="size-3.5 text-accent" /> : index + 1}
              </span>
              <span className={id === current ? undefined : 'max-sm:sr-only'}>{name}</span>
            </>
          )
          const styles =
            'flex h-9 items-center gap-2 rounded-control font-medium text-muted no-underline aria-[current=step]:text-ink'
          return (
            <li key={id} className="flex items-center gap-2 sm:gap-4">
              {index > 0 && <span aria-hidden className="h-px w-2 bg-line-strong sm:w-8" />}
              {to === undefined || id === current ? (
                <span aria-current={id === current ? 'step' : undefined} className={styles}>
                  {label}
                </span>
              ) : (
                <Link to={to} className={`${styles} hover:text-ink`}>
                  {label}
                </Link>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

/** What a new island is can be chosen again, and all else as soon as there is a draft. */
function pathOf(step: BuilderStep, islandId: string | undefined): string | undefined {
  if (step === 'choose') return islandId === undefined ? paths.newIsland() : undefined
  return islandId === undefined ? undefined : paths.newIsland(islandId, step)
}
