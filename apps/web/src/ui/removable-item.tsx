import { type ReactNode, useRef } from 'react'
import { useFocusPassedOn } from './focus.ts'
import { FormError } from './form-error.tsx'

/** A list item with buttons that may remove it. */
export function RemovableItem(props: { error: string | undefined; children: ReactNode }) {
  const { error, children } = props
  const item = useRef<HTMLLIElement>(null)
  useFocusPassedOn(item)
  return (
    <li
      ref={item}
      className="flex min-w-0 flex-col gap-3 border-b border-line py-3.5 last:border-0"
    >
      {children}
      <FormError>{error}</FormError>
    </li>
  )
}
