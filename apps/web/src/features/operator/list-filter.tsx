import { useSearchParams } from 'react-router'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'

/** What the address asks for by this name, of what can be asked for. */
export function useChoiceInAddress<Value extends string>(
  name: string,
  choices: Readonly<Record<Value, string>>,
): Value | undefined {
  const [parameters] = useSearchParams()
  return valuesOf(choices).find((value) => value === parameters.get(name))
}

interface ListFilterProps<Value extends string> {
  /** In the address. */
  readonly name: string
  readonly label: string
  /** What it is without a choice. */
  readonly without: string
  /** What each choice is called, in their order. */
  readonly choices: Readonly<Record<Value, string>>
}

/** Which of a list is shown, or in what order: the address keeps it. */
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
    <Field label={label} className="grow basis-32 sm:grow-0 sm:basis-52">
      {(wiring) => (
        <Select {...wiring} value={chosen ?? ''} onChange={({ target }) => choose(target.value)}>
          <option value="">{without}</option>
          {valuesOf(choices).map((value) => (
            <option key={value} value={value}>
              {choices[value]}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

function valuesOf<Value extends string>(choices: Readonly<Record<Value, string>>): Value[] {
  // Their type says that there are no other keys.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.keys(choices) as Value[]
}
