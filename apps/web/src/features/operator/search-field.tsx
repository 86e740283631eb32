import { TextField } from '../../ui/text-field.tsx'
import { searchMaxLength } from './use-search-in-address.ts'

interface SearchFieldProps {
  label: string
  placeholder: string
  value: string
  onChange: (text: string) => void
}

/** What a list is searched by, while one types. */
export function SearchField(props: SearchFieldProps) {
  return (
    <search>
      <TextField
        {...props}
        className="max-w-md"
        type="search"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={searchMaxLength}
      />
    </search>
  )
}
