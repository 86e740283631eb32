import type { ComponentProps } from 'react'
import ChevronDown from 'virtual:icon/chevron-down'
import { classNames } from './class-names.ts'
import { Field } from './field.tsx'
import { controlStyles } from './input.tsx'

/** A native select, which opens the phone's own list on phones. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return (
    <div className={classNames('relative', className)}>
      <select
        {...rest}
        className={classNames(controlStyles, 'appearance-none text-ellipsis pe-9!')}
      />
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 end-3 size-4 -translate-y-1/2 text-muted"
      />
    </div>
  )
}

interface SelectFieldProps
  extends
    Omit<ComponentProps<typeof Field>, 'children'>,
    Omit<ComponentProps<'select'>, 'onChange' | 'className'> {
  readonly options?: readonly { readonly value: string | number; readonly name: string }[]
  readonly onChange: (value: string) => void
}

export function SelectField(props: SelectFieldProps) {
  const { label, hint, error, note, optional, className, options, onChange, ...select } = props
  return (
    <Field {...{ label, hint, error, note, optional, className }}>
      {(wiring) => (
        <Select {...wiring} {...select} onChange={({ target }) => onChange(target.value)}>
          {options?.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
          {select.children}
        </Select>
      )}
    </Field>
  )
}
