import type { ReactNode } from 'react'
import { TextField } from '../../ui/text-field.tsx'
import { searchMaxLength } from './use-search-in-address.ts'

interface SearchFieldProps {
  label: string
  placeholder: string
  value: string
  onChange: (text: string) => void
  /** Filters beside the field. */
  children?: ReactNode
}

/** The search field of a list, which searches while the user types. */
export function SearchField({ children, ...props }: SearchFieldProps) {
  return (
    <search className="flex flex-wrap items-end gap-4">
      <TextField
        {...props}
        className="max-w-md grow basis-full sm:basis-64"
        type="search"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={searchMaxLength}
      />
      {children}
    </search>
  )
}
