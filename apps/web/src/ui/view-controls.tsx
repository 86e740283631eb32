import { Fragment } from 'react'
import type { IconComponent } from './create-icon.tsx'

export interface ViewControl<Action extends string> {
  readonly action: Action
  readonly name: string
  readonly Icon: IconComponent
  readonly isPossible?: boolean
}

interface ViewControlsProps<Action extends string> {
  readonly label: string
  readonly groups: readonly (readonly ViewControl<Action>[])[]
  readonly onAction: (action: Action) => void
}

/** Buttons for everything that dragging, the wheel and pinching do (WCAG 2.5.7). */
export function ViewControls<Action extends string>(props: ViewControlsProps<Action>) {
  const { label, groups, onAction } = props
  return (
    <fieldset
      aria-label={label}
      className="absolute bottom-3 start-3 flex items-center rounded-control border border-line-strong bg-panel/95"
    >
      {groups.map((group, i) => (
        <Fragment key={group[0]?.action}>
          {i > 0 && <span aria-hidden className="mx-0.5 h-5 w-px bg-line-strong" />}
          {group.map(({ action, name, Icon, isPossible = true }) => (
            <button
              key={action}
              type="button"
              aria-label={name}
              title={name}
              // A disabled button would lose the focus.
              aria-disabled={!isPossible || undefined}
              onClick={() => isPossible && onAction(action)}
              className="inline-flex size-9 items-center justify-center rounded-control text-muted transition-colors hover:bg-hover hover:text-ink aria-disabled:cursor-default aria-disabled:opacity-40 [&_svg]:size-4"
            >
              <Icon aria-hidden />
            </button>
          ))}
        </Fragment>
      ))}
    </fieldset>
  )
}
