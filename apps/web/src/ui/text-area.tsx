import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { controlStyles } from './control-styles.ts'

/** Several lines of text; as tall as what is in it, from its `rows` on, where the browser can do that. */
export function TextArea({ className, rows = 3, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      {...rest}
      rows={rows}
      className={classNames(
        controlStyles,
        'h-auto! max-h-96 field-sizing-content resize-y py-2',
        // What is sized by its content is no lower than this many lines.
        rows > 3 ? 'min-h-32' : 'min-h-20',
        className,
      )}
    />
  )
}
