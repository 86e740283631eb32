import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

/** The text is 16 px on phones, because iOS zooms in on smaller fields. */
export const controlStyles =
  'h-10 w-full min-w-0 rounded-control border border-edge bg-panel px-3 text-base text-ink transition-colors duration-150 placeholder:text-faint hover:border-muted disabled:opacity-60 aria-invalid:border-danger sm:text-sm'

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={classNames(controlStyles, className)} />
}
