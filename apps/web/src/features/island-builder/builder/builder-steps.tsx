import { t } from '@lingui/core/macro'
import { Link, useSearchParams } from 'react-router'
import Check from 'virtual:icon/check'
import { paths } from '../../../paths.ts'

const builderSteps = [
  { id: 'details', name: t`Details` },
  { id: 'picture', name: t`Picture` },
  { id: 'publish', name: t`Publish` },
] as const

export type BuilderStep = (typeof builderSteps)[number]['id']

/** The step in the address, and the id of the draft, once it exists. */
export function useBuilderPlace() {
  const [parameters] = useSearchParams()
  const islandId = parameters.get('island') ?? undefined
  const asked = parameters.get('step')
  const step = builderSteps.find(({ id }) => id === asked)?.id ?? 'details'
  // Without a draft, there is nothing to publish.
  return { islandId, step: islandId === undefined ? 'details' : step }
}

export function StepList(props: { islandId: string | undefined; current: BuilderStep }) {
  const { islandId, current } = props
  const place = builderSteps.findIndex(({ id }) => id === current)
  return (
    <nav aria-label={t`Steps`}>
      <ol className="flex items-center gap-2 text-sm sm:gap-4">
        {builderSteps.map(({ id, name }, index) => {
          const isDone = index < place
          const label = (
            <>
              <span
                aria-hidden
                data-numeric
                className="grid size-6 shrink-0 place-items-center rounded-full border border-edge text-xs in-aria-[current=step]:border-accent in-aria-[current=step]:bg-accent in-aria-[current=step]:text-on-accent"
              >
                {isDone ? <Check className="size-3.5 text-accent" /> : index + 1}
              </span>
              {name}
            </>
          )
          const styles =
            'flex h-9 items-center gap-2 rounded-control font-medium text-muted no-underline aria-[current=step]:text-ink'
          return (
            <li key={id} className="flex items-center gap-2 sm:gap-4">
              {index > 0 && <span aria-hidden className="h-px w-2 bg-line-strong sm:w-8" />}
              {islandId === undefined || id === current ? (
                <span aria-current={id === current ? 'step' : undefined} className={styles}>
                  {label}
                </span>
              ) : (
                <Link to={paths.newIsland(islandId, id)} className={`${styles} hover:text-ink`}>
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
