import { SelectField } from './select.tsx'
import { TextField } from './text-field.tsx'

interface ListSearchProps<Choice extends string> {
  label: string
  placeholder: string
  search: string
  onSearch: (search: string) => void
  choice: {
    readonly label: string
    readonly options: readonly { readonly value: Choice; readonly name: string }[]
    readonly value: Choice
    readonly onChange: (value: Choice) => void
  }
  /** How many are shown. */
  children: string
}

/** Above a long list: a search, a choice such as an order, and how much of the list is left. */
export function ListSearch<Choice extends string>(props: ListSearchProps<Choice>) {
  const { label, placeholder, search, onSearch, choice, children } = props
  return (
    <search className="grid min-w-0 items-end gap-4 sm:grid-cols-[minmax(0,1fr)_15rem]">
      <TextField
        label={label}
        type="search"
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={search}
        onChange={onSearch}
      />
      <SelectField
        label={choice.label}
        options={choice.options}
        value={choice.value}
        onChange={(chosen) => {
          const option = choice.options.find(({ value }) => value === chosen)
          if (option) choice.onChange(option.value)
        }}
      />
      <output className="-mt-1 text-xs text-muted sm:col-span-2" data-numeric>
        {children}
      </output>
    </search>
  )
}
