import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useQueryInAddress } from '../../lib/use-query-in-address.ts'
import { useSettled } from '../../lib/use-settled.ts'
import { SelectField } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { verbatimInput } from '../../ui/verbatim-input.ts'

const searchMaxLength = 64
/** How long typing has to pause before a request. */
const settleMs = 250

/**
 * The search text, stored in the address for reloads and links, as properties of the field. `wanted` is
 * the text once typing has paused.
 */
export function useSearchInAddress() {
  const [parameters] = useSearchParams()
  const [search, setSearch] = useState(searchOf(parameters))
  useQueryInAddress({
    query: search,
    write: (address, typed) => withParameter(address, 'q', typed.trim() === '' ? '' : typed),
    onAddress: (address) => setSearch(searchOf(address)),
  })
  const wanted = useSettled(search.trim(), settleMs)
  return { field: { value: search, onChange: setSearch }, wanted }
}

function searchOf(address: URLSearchParams): string {
  return (address.get('q') ?? '').slice(0, searchMaxLength)
}

function withParameter(before: URLSearchParams, name: string, value: string): URLSearchParams {
  const after = new URLSearchParams(before)
  if (value === '') after.delete(name)
  else after.set(name, value)
  return after
}

interface SearchFieldProps {
  label: string
  placeholder: string
  value: string
  onChange: (text: string) => void
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
        {...verbatimInput}
        maxLength={searchMaxLength}
      />
      {children}
    </search>
  )
}

/** The choice in the address; undefined if it is missing or invalid. */
export function useChoiceInAddress<Value extends string>(
  name: string,
  choices: Readonly<Record<Value, string>>,
): Value | undefined {
  const [parameters] = useSearchParams()
  return valuesOf(choices).find((value) => value === parameters.get(name))
}

interface ListFilterProps<Value extends string> {
  /** The parameter's name in the address. */
  readonly name: string
  readonly label: string
  /** The label without a choice. */
  readonly without: string
  /** The label of each choice, in order. */
  readonly choices: Readonly<Record<Value, string>>
}

/** Filters or sorts a list. The choice is stored in the address. */
export function ListFilter<Value extends string>(props: ListFilterProps<Value>) {
  const { name, label, without, choices } = props
  const [, setParameters] = useSearchParams()
  return (
    <SelectField
      label={label}
      className="grow basis-32 sm:grow-0 sm:basis-52"
      value={useChoiceInAddress(name, choices) ?? ''}
      onChange={(value) =>
        setParameters((before) => withParameter(before, name, value), { preventScrollReset: true })
      }
    >
      <option value="">{without}</option>
      {valuesOf(choices).map((value) => (
        <option key={value} value={value}>
          {choices[value]}
        </option>
      ))}
    </SelectField>
  )
}

function valuesOf<Value extends string>(choices: Readonly<Record<Value, string>>): Value[] {
  // The type guarantees that there are no other keys.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.keys(choices) as Value[]
}
