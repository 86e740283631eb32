import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'

interface RadioCardProps extends Omit<ComponentProps<'input'>, 'type' | 'className'> {
  align?: 'start' | 'center'
  className?: string
  /** It names the radio unless aria-labelledby does. */
  children: ReactNode
}

/** The native radio in our look, so arrow keys, forms and screen readers work. */
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
        // Forced colours remove the dot's shadow, so the native radio is used there.
        className={classNames(
          'size-4 shrink-0 appearance-none rounded-full border border-edge bg-ground transition-[border-color,box-shadow] duration-150 outline-none checked:border-accent checked:bg-accent checked:shadow-[inset_0_0_0_3px_var(--color-ground)] forced-colors:appearance-auto',
          align === 'start' && 'mt-0.75',
        )}
      />
      {children}
    </label>
  )
}
