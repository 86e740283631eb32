import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { controlStyles } from './control-styles.ts'

/**
 * A field for several lines. It has at least `rows` lines and grows with its content in browsers that
 * support it.
 */
export function TextArea({ className, rows = 3, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      {...rest}
      rows={rows}
      className={classNames(
        controlStyles,
        'h-auto! max-h-96 field-sizing-content resize-y py-2',
        // With field-sizing, `rows` sets no minimum height.
        rows > 3 ? 'min-h-32' : 'min-h-20',
        className,
      )}
    />
  )
}
