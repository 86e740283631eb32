import { useSearchParams } from 'react-router'
import { SelectField } from '../../ui/select.tsx'

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
  const chosen = useChoiceInAddress(name, choices)
  const choose = (value: string) =>
    setParameters(
      (before) => {
        const after = new URLSearchParams(before)
        if (value === '') after.delete(name)
        else after.set(name, value)
        return after
      },
      { preventScrollReset: true },
    )
  return (
    <SelectField
      label={label}
      className="grow basis-32 sm:grow-0 sm:basis-52"
      value={chosen ?? ''}
      onChange={choose}
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
