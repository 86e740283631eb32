import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'

interface RadioCardProps extends Omit<ComponentProps<'input'>, 'type' | 'className'> {
  /** Where the radio stands beside several lines. */
  align?: 'start' | 'center'
  /** Places the card; its looks stay. */
  className?: string
  /** What is chosen: it names the radio where no aria-labelledby does. */
  children: ReactNode
}

/**
 * One choice of several, pressed anywhere on its card. The radio is the browser's own, in our look:
 * arrows, forms and screen readers know it.
 */
export function RadioCard({ align = 'start', className, children, ...input }: RadioCardProps) {
  return (
    <label
      className={classNames(
        'flex cursor-pointer gap-x-3.5 rounded-control border border-edge bg-panel p-3.5 transition-colors hover:border-muted has-checked:border-accent has-checked:bg-accent-soft has-disabled:cursor-default has-disabled:opacity-60 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
        align === 'center' && 'items-center',
        className,
      )}
    >
      <input
        {...input}
        type="radio"
        // Forced colours take the dot's shadow away: there the radio is the browser's.
        className={classNames(
          'size-4 shrink-0 appearance-none rounded-full border border-edge bg-ground transition-[border-color,box-shadow] duration-150 outline-none checked:border-accent checked:bg-accent checked:shadow-[inset_0_0_0_3px_var(--color-ground)] forced-colors:appearance-auto',
          align === 'start' && 'mt-0.75',
        )}
      />
      {children}
    </label>
  )
}
