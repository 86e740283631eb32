import type { ComponentProps, ComponentType } from 'react'
import { Field } from './field.tsx'
import { Input } from './input.tsx'
import { PasswordInput } from './password-input.tsx'
import { TextArea } from './text-area.tsx'

type FieldLook = Omit<ComponentProps<typeof Field>, 'children' | 'className'>
type InputProps = Omit<ComponentProps<'input'>, 'onChange' | 'className' | 'value'>

interface TextFieldProps extends FieldLook, InputProps {
  /** For the whole field. */
  readonly className?: string
  readonly value: string
  readonly onChange: (text: string) => void
}

/** A line of text with its label, hint and error. */
export function TextField(props: TextFieldProps) {
  return <InputField {...props} control={Input} />
}

/** The same for a password, which can be shown. */
export function PasswordField(props: Omit<TextFieldProps, 'type'>) {
  return <InputField {...props} control={PasswordInput} />
}

interface InputFieldProps extends TextFieldProps {
  readonly control: ComponentType<ComponentProps<'input'>>
}

function InputField(props: InputFieldProps) {
  const {
    label,
    hint,
    error,
    note,
    optional,
    className,
    onChange,
    control: Control,
    ...input
  } = props
  return (
    <Field {...{ label, hint, error, note, optional, className }}>
      {(wiring) => (
        <Control {...wiring} {...input} onChange={({ target }) => onChange(target.value)} />
      )}
    </Field>
  )
}

interface TextAreaFieldProps
  extends FieldLook, Omit<ComponentProps<'textarea'>, 'onChange' | 'className' | 'value'> {
  /** For the whole field. */
  readonly className?: string
  readonly value: string
  readonly onChange: (text: string) => void
}

/** The same for several lines. */
export function TextAreaField(props: TextAreaFieldProps) {
  const { label, hint, error, note, optional, className, onChange, ...area } = props
  return (
    <Field {...{ label, hint, error, note, optional, className }}>
      {(wiring) => (
        <TextArea {...wiring} {...area} onChange={({ target }) => onChange(target.value)} />
      )}
    </Field>
  )
}
