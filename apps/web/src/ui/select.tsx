import type { ComponentProps } from 'react'
import ChevronDown from 'virtual:icon/chevron-down'
import { classNames } from './class-names.ts'
import { controlStyles } from './control-styles.ts'

/** A native select, which opens the phone's own list on phones. Its children are option elements. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return (
    <div className={classNames('relative', className)}>
      <select
        {...rest}
        className={classNames(controlStyles, 'appearance-none text-ellipsis pr-9!')}
      />
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
      />
    </div>
  )
}
